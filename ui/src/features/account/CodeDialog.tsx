import { Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useState, type FormEvent } from "react";
import { ApiError } from "../../platform/api/client";
import { confirmByCode } from "../../domain/person/secondFactor";
import { t } from "../../platform/messages/account";

/** Asks for a code before a call that needs one; then the call goes on. */
export default function CodeDialog({ onClose }: { onClose: (isGiven: boolean) => void }) {
  const [code, setCode] = useState("");
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);

  const confirm = async (event: FormEvent) => {
    event.preventDefault();
    // The form may lie within another one, which is not meant.
    event.stopPropagation();
    setBusy(true);
    setProblem(undefined);
    try {
      await confirmByCode(code);
    } catch (error) {
      const { fields, message } = error as ApiError;
      setProblem(fields?.code?.[0] ?? message);
      setBusy(false);
      return;
    }
    onClose(true);
  };
  return (
    <Modal opened onClose={() => onClose(false)} title={t("factor.stepUp")} centered zIndex={400}>
      <form onSubmit={(event) => void confirm(event)} noValidate>
        <Stack gap="md">
          <Text>{t("factor.stepUpAbout")}</Text>
          <TextInput
            name="step_up_code"
            label={t("factor.code")}
            autoComplete="one-time-code"
            data-autofocus
            value={code}
            error={problem}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={() => onClose(false)}>
              {t("factor.stepUpCancel")}
            </Button>
            <Button type="submit" loading={busy} disabled={code.trim() === ""}>
              {t("factor.stepUpGo")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
