import { Checkbox } from "@mantine/core";
import { useState } from "react";
import { t } from "../../platform/messages/auth";
import { AuthForm, type Field } from "./AuthForm";
import { useSession } from "../../domain/person/session";

const FIELDS: Field[] = [
  { name: "code", label: t("code"), type: "text", autoComplete: "one-time-code" },
];

interface Props {
  /** Back to the password. */
  onBack: () => void;
  onError: (error: unknown) => void;
}

/** The code after the password. */
export function CodeForm({ onBack, onError }: Props) {
  const { giveCode } = useSession();
  const [trust, setTrust] = useState(false);
  return (
    <AuthForm
      title={t("code.title")}
      subtitle={t("code.about")}
      fields={FIELDS}
      action={t("signIn")}
      other={{ text: t("reset.changedMind"), label: t("code.back"), onClick: onBack }}
      onSubmit={async ({ code = "" }) => {
        try {
          await giveCode(code, trust);
        } catch (error) {
          onError(error);
          throw error;
        }
      }}
    >
      <Checkbox
        label={t("code.trust")}
        checked={trust}
        onChange={(event) => setTrust(event.currentTarget.checked)}
      />
    </AuthForm>
  );
}
