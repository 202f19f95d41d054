import { Button, Group, Modal, TextInput } from "@mantine/core";
import { useState, type FormEvent } from "react";
import { ApiError } from "../../platform/api/client";
import { usePublicConfig } from "../../platform/api/publicConfig";
import { t } from "../../platform/messages/teams";
import { useActiveTeam } from "../../domain/teams/activeTeam";
import { rememberTeam } from "../../domain/person/rememberedTeam";
import { createTeam, useTeamActions } from "./data";

interface Props {
  opened: boolean;
  onClose: () => void;
  onCreated: (id: string) => void;
}

export function NewTeam({ opened, onClose, onCreated }: Props) {
  return (
    <Modal opened={opened} onClose={onClose} title={t("newTeam")} centered>
      <NewTeamForm
        onCancel={onClose}
        onCreated={(id) => {
          onCreated(id);
          onClose();
        }}
      />
    </Modal>
  );
}

function NewTeamForm({
  onCancel,
  onCreated,
}: {
  onCancel: () => void;
  onCreated: Props["onCreated"];
}) {
  const { refresh } = useTeamActions();
  const { choose } = useActiveTeam();
  const isPaid = usePublicConfig()?.billing != null;
  const [name, setName] = useState("");
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const create = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    try {
      const team = await createTeam(name);
      // Before anything is fetched again: whoever leaves the page now works for the team all the same.
      rememberTeam(team.id);
      await refresh(team.id);
      await choose(team.id);
      onCreated(team.id);
    } catch (error) {
      const said = error instanceof ApiError ? error.fields.name?.[0] : undefined;
      setProblem(said ?? (error as Error).message);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form onSubmit={(event) => void create(event)} noValidate>
      <TextInput
        label={t("name")}
        description={isPaid ? t("own.paying") : t("own.title")}
        placeholder={t("newsDesk")}
        data-autofocus
        maxLength={200}
        value={name}
        error={problem}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onCancel}>
          {t("cancel")}
        </Button>
        <Button type="submit" loading={busy} disabled={name.trim() === ""}>
          {t("createTeam")}
        </Button>
      </Group>
    </form>
  );
}
