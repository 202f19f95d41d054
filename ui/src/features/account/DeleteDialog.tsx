import { Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useState, type FormEvent } from "react";
import { type ApiError } from "../../platform/api/client";
import { t } from "../../platform/messages/account";
import { Proof, useProof } from "../../domain/person/Proof";
import { useSession } from "../../domain/person/session";
import { day } from "../../domain/files/format";
import { toast } from "../../platform/notices/toast";
import { deleteAccount, problemOf, type User } from "./data";

const NOT_DELETED = t("delete.failed");
const LONG_MS = 15_000;

/** Asks for the password and for the typed address before the account goes. */
export function DeleteDialog(props: { user: User; opened: boolean; onClose: () => void }) {
  return (
    <Modal opened={props.opened} onClose={props.onClose} title={t("delete.question")}>
      <Form user={props.user} onClose={props.onClose} />
    </Modal>
  );
}

function Form({ user, onClose }: { user: User; onClose: () => void }) {
  const { logout } = useSession();
  const proof = useProof();
  const [confirmation, setConfirmation] = useState("");
  const [problem, setProblem] = useState<ApiError>();
  const [busy, setBusy] = useState(false);

  const remove = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    try {
      await proof.run(async (password) => {
        const until = await deleteAccount({ password, confirmation });
        await logout();
        toast("info", t("delete.done", { until: day(until) }), LONG_MS);
      });
    } catch (error) {
      setProblem(problemOf(error, NOT_DELETED));
      setBusy(false);
    }
  };
  const unnamed = problem !== undefined && Object.keys(problem.fields).length === 0;
  return (
    <form onSubmit={(event) => void remove(event)} noValidate>
      <Stack gap="md">
        <Text>
          {t.rich("delete.confirm", {
            email: user.email,
            b: (parts) => <strong>{parts}</strong>,
          })}
        </Text>
        <TextInput
          name="confirmation"
          label={t("delete.email")}
          autoComplete="off"
          data-autofocus
          value={confirmation}
          error={problem?.fields.confirmation?.[0]}
          onChange={(event) => setConfirmation(event.currentTarget.value)}
        />
        <Proof
          user={user}
          proof={proof}
          name="deletion_password"
          label={t("yourPassword")}
          error={problem?.fields.password?.[0]}
        />
        {unnamed && (
          <Text className="danger-text" role="alert">
            {problem.message}
          </Text>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t("delete.keep")}
          </Button>
          <Button type="submit" color="red" loading={busy}>
            {t("delete.start")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
