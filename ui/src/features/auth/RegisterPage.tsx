import { useContext } from "react";
import { useLocation, useNavigate } from "react-router";
import { usePublicConfig } from "../../platform/api/publicConfig";
import { t } from "../../platform/messages/auth";
import { usePageTitle } from "../../platform/page/usePageTitle";
import { KnownPages, placeAfterSignIn } from "../../domain/person/signIn";
import { AuthForm, type Field } from "./AuthForm";
import { OtherWays } from "./OtherWays";
import { useSession } from "../../domain/person/session";

const FIELDS: Field[] = [
  { name: "name", label: t("name"), type: "text", autoComplete: "name" },
  { name: "email", label: t("email"), type: "email", autoComplete: "username" },
  { name: "password", label: t("password"), type: "password", autoComplete: "new-password" },
  {
    name: "password_confirmation",
    label: t("confirmPassword"),
    type: "password",
    autoComplete: "new-password",
  },
];

export default function RegisterPage() {
  usePageTitle(t("register"));
  const { register } = useSession();
  const isKnownPage = useContext(KnownPages);
  const navigate = useNavigate();
  const state: unknown = useLocation().state;
  const billing = usePublicConfig()?.billing;
  const minutes = billing?.free_minutes ?? 0;
  return (
    <>
      <AuthForm
        title={t("register.title")}
        subtitle={
          minutes > 0
            ? t("register.aboutFree", { minutes, days: billing?.free_days ?? 0 })
            : t("register.about")
        }
        fields={FIELDS}
        action={t("createAccount")}
        other={{ text: t("register.haveOne"), label: t("signIn"), to: "/login" }}
        onSubmit={async (values) => {
          const user = await register({
            name: values.name ?? "",
            email: values.email ?? "",
            password: values.password ?? "",
            password_confirmation: values.password_confirmation ?? "",
          });
          await navigate(placeAfterSignIn(state, user.id, isKnownPage));
        }}
      />
      <OtherWays />
    </>
  );
}
