import { Anchor } from "@mantine/core";
import { useState } from "react";
import { Link, useNavigate, useParams } from "react-router";
import { api, ApiError, csrfToken, unwrap } from "../../platform/api/client";
import { t } from "../../platform/messages/auth";
import { usePageTitle } from "../../platform/page/usePageTitle";
import { AuthForm, type Field } from "./AuthForm";

const FIELDS: Field[] = [
  { name: "password", label: t("newPassword"), type: "password", autoComplete: "new-password" },
  {
    name: "password_confirmation",
    label: t("confirmPassword"),
    type: "password",
    autoComplete: "new-password",
  },
];

/** For accounts whose password was removed. */
const CODE: Field = { name: "code", label: t("reset.code"), type: "text", autoComplete: "off" };

/** Choose a new password by the link from a mail. */
export default function ResetPage() {
  usePageTitle(t("resetPassword"));
  const { hash = "", email = "" } = useParams();
  const navigate = useNavigate();
  const [expired, setExpired] = useState(false);
  const [needsCode, setNeedsCode] = useState(false);

  const save = async (values: Record<string, string>) => {
    const { password = "", password_confirmation = "", code = "" } = values;
    setExpired(false);
    await csrfToken(true);
    try {
      const body = { token: hash, email, password, password_confirmation, code };
      await unwrap(api.POST("/reset-password", { body }));
    } catch (error) {
      setExpired(error instanceof ApiError && error.code === "link_expired");
      if (error instanceof ApiError && error.fields.code !== undefined) setNeedsCode(true);
      throw error;
    }
    await navigate("/login", {
      replace: true,
      state: { notice: t("reset.done") },
    });
  };
  return (
    <AuthForm
      title={t("reset.title")}
      subtitle={t("reset.about", { email })}
      fields={needsCode ? [...FIELDS, CODE] : FIELDS}
      action={t("reset.submit")}
      other={{ text: t("reset.changedMind"), label: t("signIn"), to: "/login" }}
      onSubmit={save}
    >
      {expired && (
        <Anchor component={Link} to="/reset/password" size="sm">
          {t("reset.askAgain")}
        </Anchor>
      )}
    </AuthForm>
  );
}
