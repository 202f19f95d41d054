import { Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useState, type FormEvent } from "react";
import { ApiError } from "../../platform/api/client";
import { canUsePasskeys, confirmByPasskey } from "../../domain/person/passkeys";
import { confirmByCode } from "../../domain/person/secondFactor";
import { useSession } from "../../domain/person/session";
import { t } from "../../platform/messages/account";

/** Asks for a code or a passkey before a call that needs one; then the call goes on. */
export default function StepUpDialog({ onClose }: { onClose: (isGiven: boolean) => void }) {
  const { user } = useSession();
  const [code, setCode] = useState("");
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState<"code" | "passkey">();
  const hasApp = user?.has_second_factor === true;
  const hasPasskey = user?.has_passkeys === true && canUsePasskeys();

  const confirm = async (way: "code" | "passkey", given: () => Promise<boolean>) => {
    setBusy(way);
    setProblem(undefined);
    try {
      if (await given()) return onClose(true);
    } catch (error) {
      const { fields, message } = error as ApiError;
      setProblem(
        error instanceof ApiError ? (fields.code?.[0] ?? message) : t("stepUp.passkeyFailed"),
      );
    }
    setBusy(undefined);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // The form may lie within another one, which is not meant.
    event.stopPropagation();
    void confirm("code", async () => {
      await confirmByCode(code);
      return true;
    });
  };
  const passkey = (
    <Button
      variant={hasApp ? "default" : "filled"}
      loading={busy === "passkey"}
      data-autofocus={hasApp ? undefined : true}
      onClick={() => void confirm("passkey", confirmByPasskey)}
    >
      {t("stepUp.passkey")}
    </Button>
  );
  return (
    <Modal opened onClose={() => onClose(false)} title={t("stepUp.title")} centered zIndex={400}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <Text>{about(hasApp, hasPasskey)}</Text>
          {hasApp && (
            <TextInput
              name="step_up_code"
              label={t("factor.code")}
              autoComplete="one-time-code"
              data-autofocus
              value={code}
              error={problem}
              onChange={(event) => setCode(event.currentTarget.value)}
            />
          )}
          {!hasApp && problem !== undefined && (
            <Text className="danger-text" role="alert">
              {problem}
            </Text>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={() => onClose(false)}>
              {t("stepUp.cancel")}
            </Button>
            {hasPasskey && passkey}
            {hasApp && (
              <Button type="submit" loading={busy === "code"} disabled={code.trim() === ""}>
                {t("stepUp.goOn")}
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function about(hasApp: boolean, hasPasskey: boolean): string {
  if (hasApp) return hasPasskey ? t("stepUp.aboutBoth") : t("stepUp.aboutCode");
  return hasPasskey ? t("stepUp.aboutPasskey") : t("stepUp.notHere");
}
