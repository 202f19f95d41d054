import { Button, Group, Modal, Radio, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useSession } from "../auth/session";
import type { MediaFile } from "../files/data";
import { useTeamActions } from "./data";

const MINE = "mine";

/** Give files to a team, or take them out of one. All of them are in the same place now. */
export default function MoveDialog({
  files,
  onClose,
}: {
  files: MediaFile[];
  onClose: () => void;
}) {
  const { user } = useSession();
  const { moveFiles } = useTeamActions();
  const from = files[0]?.team_id ?? null;
  const [to, setTo] = useState(from ?? MINE);
  const [busy, setBusy] = useState(false);
  const teams = user?.teams.filter((team) => team.is_active && team.role !== "viewer") ?? [];
  const move = async () => {
    setBusy(true);
    const ids = files.map(({ id }) => id);
    const done = await moveFiles(ids, from, to === MINE ? null : to);
    setBusy(false);
    if (done) onClose();
  };
  const name = files.length === 1 ? (files[0]?.name ?? "") : `${files.length} files`;
  return (
    <Modal opened onClose={onClose} title={`Move ${name}`} centered>
      <Radio.Group label="Who works on it" value={to} onChange={setTo}>
        <Stack gap="xs" mt="xs">
          <Radio value={MINE} label="Only I" />
          {teams.map((team) => (
            <Radio key={team.id} value={team.id} label={team.name} />
          ))}
        </Stack>
      </Radio.Group>
      <Text size="sm" className="quiet" mt="md">
        A team&apos;s files are seen by all its members. Its payer&apos;s plan covers their storage.
      </Text>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button loading={busy} disabled={to === (from ?? MINE)} onClick={() => void move()}>
          Move
        </Button>
      </Group>
    </Modal>
  );
}
