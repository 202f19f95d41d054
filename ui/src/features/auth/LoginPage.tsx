import { Alert, Anchor, Button } from "@mantine/core";
import { useState } from "react";
import { Link, useLocation } from "react-router";
import { ApiError } from "../../platform/api/client";
import { t } from "../../platform/messages/auth";
import { usePageTitle } from "../../platform/page/usePageTitle";
import { toast } from "../../platform/notices/toast";
import { AuthForm, type Field } from "./AuthForm";
import { CodeForm } from "./CodeForm";
import { OtherWays } from "./OtherWays";
import type { SignInState } from "../../domain/person/signIn";
import { useLostSession } from "./lostSession";
import { useSession } from "../../domain/person/session";

const FIELDS: Field[] = [
  { name: "email", label: t("email"), type: "email", autoComplete: "username" },
  { name: "password", label: t("password"), type: "password", autoComplete: "current-password" },
];

interface Credentials {
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
  const [deleted, setDeleted] = useState<Credentials>();
  const [restoring, setRestoring] = useState(false);
  const [waiting, setWaiting] = useState<Credentials>();

  const signIn = async (email: string, password: string) => {
    setDeleted(undefined);
    try {
      await login(email, password);
    } catch (error) {
      const code = error instanceof ApiError ? error.code : "";
      if (code === "account_deleted") setDeleted({ email, password });
      // The next step, not a problem.
      else if (code === "code_needed") return setWaiting({ email, password });
      throw error;
    }
  };
  const restore = async ({ email, password }: Credentials) => {
    setRestoring(true);
    try {
      await login(email, password, true);
    } catch (error) {
      if (error instanceof ApiError && error.code === "code_needed")
        setWaiting({ email, password });
      else toast("error", (error as Error).message);
      setRestoring(false);
    }
  };
  if (waiting !== undefined)
    return (
      <CodeForm
        onBack={() => setWaiting(undefined)}
        onError={(error) => {
          const code = error instanceof ApiError ? error.code : "";
          if (code === "code_stale") toast("warning", (error as Error).message);
          if (code === "account_deleted") setDeleted(waiting);
          if (code === "code_stale" || code === "account_deleted") setWaiting(undefined);
        }}
      />
    );

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
      <OtherWays withPasskey />
    </>
  );
}
