import { Anchor, Button, Stack, Text, Title } from "@mantine/core";
import { useState } from "react";
import { Link } from "react-router";
import { api, csrfToken, unwrap } from "../../platform/api/client";
import { t } from "../../platform/messages/auth";
import { usePageTitle } from "../../platform/page/usePageTitle";
import { toast } from "../../platform/notices/toast";
import { AuthForm, type Field } from "./AuthForm";
import { NoMailNote } from "../../domain/person/NoMailNote";
import { useResendWait } from "../../domain/person/useResendWait";

const FIELDS: Field[] = [
  { name: "email", label: t("email"), type: "email", autoComplete: "username" },
];

async function sendLink(email: string): Promise<void> {
  await csrfToken(true);
  await unwrap(api.POST("/forgot-password", { body: { email } }));
}

/** Ask for a link that sets a new password. */
export default function ForgotPage() {
  usePageTitle(t("forgotPassword"));
  const [sentTo, setSentTo] = useState<string>();
  if (sentTo !== undefined) return <Sent email={sentTo} onChange={() => setSentTo(undefined)} />;
  return (
    <AuthForm
      title={t("forgot.title")}
      subtitle={t("forgot.about")}
      fields={FIELDS}
      action={t("forgot.submit")}
      other={{ text: t("rememberedIt"), label: t("signIn"), to: "/login" }}
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
      toast("success", t("verify.sentAgain"));
    } catch (error) {
      toast("error", (error as Error).message);
    }
  };
  return (
    <Stack gap="md">
      <Title order={1}>{t("mail.title")}</Title>
      <Text role="status">
        {t.rich("forgot.sent", { email, b: (parts) => <strong>{parts}</strong> })}
      </Text>
      <NoMailNote />
      <Button variant="default" disabled={wait > 0} onClick={() => void again()}>
        {wait > 0 ? t("mail.sendAgainIn", { wait }) : t("sendAgain")}
      </Button>
      <Text size="sm" className="quiet">
        <Anchor component="button" type="button" size="sm" onClick={onChange}>
          {t("forgot.otherAddress")}
        </Anchor>
        {" · "}
        <Anchor component={Link} to="/login" size="sm">
          {t("signIn")}
        </Anchor>
      </Text>
    </Stack>
  );
}
