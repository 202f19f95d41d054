import { Alert, Anchor, Button } from "@mantine/core";
import { useState } from "react";
import { Link, useLocation } from "react-router";
import { ApiError } from "../../platform/api/client";
import { t } from "../../platform/messages/auth";
import { usePageTitle } from "../../platform/page/usePageTitle";
import { toast } from "../../platform/notices/toast";
import { AuthForm, type Field } from "./AuthForm";
import { ProviderButtons } from "./ProviderButtons";
import type { SignInState } from "../../domain/person/signIn";
import { useLostSession } from "./lostSession";
import { useSession } from "../../domain/person/session";

const FIELDS: Field[] = [
  { name: "email", label: t("email"), type: "email", autoComplete: "username" },
  { name: "password", label: t("password"), type: "password", autoComplete: "current-password" },
];

interface Deleted {
  email: string;
  password: string;
}

/** Sign in, or take back an account that was deleted a short while ago. */
export default function LoginPage() {
  usePageTitle(t("login"));
  const { login } = useSession();
  const state = (useLocation().state ?? {}) as SignInState;
  const lost = useLostSession(state.whose);
  const notice = state.notice ?? lost;
  const [deleted, setDeleted] = useState<Deleted>();
  const [restoring, setRestoring] = useState(false);

  const signIn = async (email: string, password: string) => {
    setDeleted(undefined);
    try {
      await login(email, password);
    } catch (error) {
      if (error instanceof ApiError && error.code === "account_deleted")
        setDeleted({ email, password });
      throw error;
    }
  };
  const restore = async ({ email, password }: Deleted) => {
    setRestoring(true);
    try {
      await login(email, password, true);
    } catch (error) {
      toast("error", (error as Error).message);
      setRestoring(false);
    }
  };

  return (
    <>
      <AuthForm
        title={t("welcomeBack")}
        subtitle={t("login.about")}
        fields={FIELDS}
        action={t("signIn")}
        other={{ text: t("newHere"), label: t("register.link"), to: "/register" }}
        onSubmit={(values) => signIn(values.email ?? "", values.password ?? "")}
      >
        {notice !== undefined && (
          <Alert color={state.notice === undefined ? "blue" : "teal"} role="status">
            {notice}
          </Alert>
        )}
        {deleted !== undefined && (
          <Button variant="light" loading={restoring} onClick={() => void restore(deleted)}>
            {t("restore.submit")}
          </Button>
        )}
        <Anchor component={Link} to="/reset/password" size="sm">
          {t("forgot.title")}
        </Anchor>
      </AuthForm>
      <ProviderButtons />
    </>
  );
}
