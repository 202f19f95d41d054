import { Anchor } from "@mantine/core";
import { useState } from "react";
import { Link, useNavigate, useParams } from "react-router";
import { api, ApiError, csrfToken, unwrap } from "../../api/client";
import { usePageTitle } from "../../layouts/usePageTitle";
import { AuthForm, type Field } from "./AuthForm";

const FIELDS: Field[] = [
  { name: "password", label: "New password", type: "password", autoComplete: "new-password" },
  {
    name: "password_confirmation",
    label: "Confirm password",
    type: "password",
    autoComplete: "new-password",
  },
];

/** Choose a new password by the link from a mail. */
export default function ResetPage() {
  usePageTitle("Reset password");
  const { hash = "", email = "" } = useParams();
  const navigate = useNavigate();
  const [expired, setExpired] = useState(false);

  const save = async ({ password = "", password_confirmation = "" }: Record<string, string>) => {
    setExpired(false);
    await csrfToken(true);
    try {
      const body = { token: hash, email, password, password_confirmation };
      await unwrap(api.POST("/reset-password", { body }));
    } catch (error) {
      setExpired(error instanceof ApiError && error.code === "link_expired");
      throw error;
    }
    await navigate("/login", {
      replace: true,
      state: { notice: "Your password was changed. Sign in with the new one." },
    });
  };
  return (
    <AuthForm
      title="Choose a new password"
      subtitle={`For ${email}. You will be signed out everywhere else.`}
      fields={FIELDS}
      action="Set the password"
      other={{ text: "Changed your mind?", label: "Sign in", to: "/login" }}
      onSubmit={save}
    >
      {expired && (
        <Anchor component={Link} to="/reset/password" size="sm">
          Ask for a new link
        </Anchor>
      )}
    </AuthForm>
  );
}
