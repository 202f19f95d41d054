import { Anchor, Button, Stack, Text, Title } from "@mantine/core";
import { useState } from "react";
import { Link } from "react-router";
import { api, csrfToken, unwrap } from "../../api/client";
import { usePageTitle } from "../../layouts/usePageTitle";
import { toast } from "../notifications/toast";
import { AuthForm, type Field } from "./AuthForm";
import { NoMailNote } from "./NoMailNote";
import { useResendWait } from "./useResendWait";

const FIELDS: Field[] = [
  { name: "email", label: "Email", type: "email", autoComplete: "username" },
];

async function sendLink(email: string): Promise<void> {
  await csrfToken(true);
  await unwrap(api.POST("/forgot-password", { body: { email } }));
}

/** Ask for a link that sets a new password. */
export default function ForgotPage() {
  usePageTitle("Forgot password");
  const [sentTo, setSentTo] = useState<string>();
  if (sentTo !== undefined) return <Sent email={sentTo} onChange={() => setSentTo(undefined)} />;
  return (
    <AuthForm
      title="Forgot your password?"
      subtitle="We send you a link with which you choose a new one."
      fields={FIELDS}
      action="Send the link"
      other={{ text: "Remembered it?", label: "Sign in", to: "/login" }}
      onSubmit={async ({ email = "" }) => {
        await sendLink(email);
        setSentTo(email);
      }}
    />
  );
}

function Sent({ email, onChange }: { email: string; onChange: () => void }) {
  const [wait, startWait] = useResendWait(true);
  const again = async () => {
    try {
      await sendLink(email);
      startWait();
      toast("success", "We sent the mail again.");
    } catch (error) {
      toast("error", (error as Error).message);
    }
  };
  return (
    <Stack gap="md">
      <Title order={1}>Look into your mail</Title>
      <Text role="status">
        If <strong>{email}</strong> has an account, a mail with a link is on its way. The link works
        once, within an hour.
      </Text>
      <NoMailNote />
      <Button variant="default" disabled={wait > 0} onClick={() => void again()}>
        {wait > 0 ? `Send again in ${wait} s` : "Send again"}
      </Button>
      <Text size="sm" className="quiet">
        <Anchor component="button" type="button" size="sm" onClick={onChange}>
          Use another address
        </Anchor>
        {" · "}
        <Anchor component={Link} to="/login" size="sm">
          Sign in
        </Anchor>
      </Text>
    </Stack>
  );
}
