import { Button, Group, Modal, Radio, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { t as tLayouts } from "../../platform/messages/shell";
import { t } from "../../platform/messages/teams";
import { useSession } from "../../domain/person/session";
import type { MediaFile } from "../../domain/files/data";
import { useTeamActions } from "./data";
import { MINE } from "../../domain/teams/workspace";

/** Give files to a team, or take them out of teams. They may come from different places. */
export default function MoveDialog({
  files,
  onClose,
  onDone = onClose,
}: {
  files: MediaFile[];
  onClose: () => void;
  /** After the move. */
  onDone?: () => void;
}) {
  const { user } = useSession();
  const { moveFiles } = useTeamActions();
  const places = new Set(files.map(({ team_id }) => team_id ?? MINE));
  const [first] = places;
  // Where all of them are now; none when they are in different places.
  const here = places.size === 1 ? (first ?? null) : null;
  const [to, setTo] = useState(here);
  const [busy, setBusy] = useState(false);
  const teams = user?.teams.filter((team) => team.is_active && team.role !== "viewer") ?? [];
  const move = async () => {
    setBusy(true);
    const ids = files.map(({ id }) => id);
    // Files of several teams leave them in one call, which names one of the teams.
    const from = files.find(({ team_id }) => team_id !== null)?.team_id ?? null;
    const place = teams.find(({ id }) => id === to)?.name ?? tLayouts("page.personal");
    const done = await moveFiles(ids, from, to === MINE ? null : to, place);
    setBusy(false);
    if (done) onDone();
  };
  const name =
    files.length === 1 ? (files[0]?.name ?? "") : t("filesFiles", { files: files.length });
  return (
    <Modal opened onClose={onClose} title={t("moveName", { name })} centered>
      <Radio.Group label={t("member.title")} value={to} onChange={setTo}>
        <Stack gap="xs" mt="xs">
          <Radio value={MINE} label={t("onlyI")} />
          {teams.map((team) => (
            <Radio key={team.id} value={team.id} label={team.name} />
          ))}
        </Stack>
      </Radio.Group>
      <Text size="sm" className="quiet" mt="md">
        {t("member.about")}
      </Text>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose}>
          {t("cancel")}
        </Button>
        <Button loading={busy} disabled={to === null || to === here} onClick={() => void move()}>
          {t("move")}
        </Button>
      </Group>
    </Modal>
  );
}
