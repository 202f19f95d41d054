import { Alert, Anchor, Button } from "@mantine/core";
import { useState } from "react";
import { Link, useLocation } from "react-router";
import { ApiError } from "../../api/client";
import { usePageTitle } from "../../layouts/usePageTitle";
import { toast } from "../notifications/toast";
import { AuthForm, type Field } from "./AuthForm";
import { useSession } from "./session";

const FIELDS: Field[] = [
  { name: "email", label: "Email", type: "email", autoComplete: "username" },
  { name: "password", label: "Password", type: "password", autoComplete: "current-password" },
];

interface Deleted {
  email: string;
  password: string;
}

/** Sign in, or take back an account that was deleted a short while ago. */
export default function LoginPage() {
  usePageTitle("Login");
  const { login } = useSession();
  const notice = (useLocation().state as { notice?: string } | null)?.notice;
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
    <AuthForm
      title="Welcome back"
      subtitle="Sign in to your videos and captions."
      fields={FIELDS}
      action="Sign in"
      other={{ text: "New here?", label: "Create an account", to: "/register" }}
      onSubmit={(values) => signIn(values.email ?? "", values.password ?? "")}
    >
      {notice !== undefined && (
        <Alert color="teal" role="status">
          {notice}
        </Alert>
      )}
      {deleted !== undefined && (
        <Button variant="light" loading={restoring} onClick={() => void restore(deleted)}>
          Restore my account
        </Button>
      )}
      <Anchor component={Link} to="/reset/password" size="sm">
        Forgot your password?
      </Anchor>
    </AuthForm>
  );
}
