import { Button, Group, Modal, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Suspense } from "react";
import { t } from "../../../platform/messages/files";
import { t as tLibrary } from "../../../platform/messages/library";
import {
  IconDownload,
  IconTag,
  IconTrash,
  IconUsersGroup,
  IconX,
} from "../../../platform/theme/icons";
import { useSession } from "../../../domain/person/session";
import { useBinActions } from "../bin/binData";
import { LookOnlyLater } from "../../../domain/teams/LookOnlyLater";
import { useSelection } from "./selection";
import styles from "./fileBrowser.module.css";
import { part } from "../../../platform/failure/Later";

const TagsDialog = part(() => import("../../tags/TagsDialog"));
const MoveDialog = part(() => import("../../teams/MoveDialog"));
const CaptionsDialog = part(() => import("../CaptionsDialog"));

/** What can be done with the selected files, at the bottom of the window. Nothing while none is selected. */
export function SelectionBar() {
  const selection = useSelection();
  const { remove } = useBinActions();
  const [tagging, tags] = useDisclosure();
  const [deleting, confirm] = useDisclosure();
  const [moving, move] = useDisclosure();
  const [downloading, captions] = useDisclosure();
  const hasTeams = useSession().user?.teams.some((team) => team.is_active) === true;
  const files = [...(selection?.chosen.values() ?? [])];
  if (selection === null || files.length === 0) return null;
  const counted = t("count", { files: files.length });
  const lookOnly = files.filter((file) => !file.may_change).length;
  const mayMove = hasTeams && files.every((file) => file.may_move);
  return (
    <div
      className={styles.bar}
      role="toolbar"
      aria-label={tLibrary("selectedFiles")}
      data-testid="selection"
    >
      <strong aria-live="polite">{tLibrary("select.count", { counted })}</strong>
      <Group gap={6} wrap="wrap">
        {lookOnly === 0 && (
          <Button
            size="compact-md"
            variant="default"
            leftSection={<IconTag size={16} />}
            onClick={tags.open}
          >
            {t("tags")}
          </Button>
        )}
        {mayMove && (
          <Button
            size="compact-md"
            variant="default"
            leftSection={<IconUsersGroup size={16} />}
            onClick={move.open}
          >
            {t("moveTo")}
          </Button>
        )}
        <Button
          size="compact-md"
          variant="default"
          leftSection={<IconDownload size={16} />}
          onClick={captions.open}
        >
          {t("captions")}
        </Button>
        {lookOnly === 0 && (
          <Button
            size="compact-md"
            variant="default"
            leftSection={<IconTrash size={16} />}
            onClick={confirm.open}
          >
            {t("delete")}
          </Button>
        )}
        <Button
          size="compact-md"
          variant="subtle"
          leftSection={<IconX size={16} />}
          onClick={selection.clear}
        >
          {tLibrary("clearSelection")}
        </Button>
      </Group>
      {lookOnly > 0 && (
        <LookOnlyLater about={files.length === 1 ? "file" : "selection"} count={lookOnly} />
      )}
      <Suspense fallback={null}>
        {tagging && (
          <TagsDialog
            files={files}
            onClose={() => {
              tags.close();
              selection.clear();
            }}
          />
        )}
        {moving && (
          <MoveDialog
            files={files}
            onClose={move.close}
            onDone={() => {
              move.close();
              selection.clear();
            }}
          />
        )}
        {downloading && <CaptionsDialog files={files} onClose={captions.close} />}
      </Suspense>
      <Modal opened={deleting} onClose={confirm.close} title={tLibrary("delete.many", { counted })}>
        <Text>{tLibrary("move.toBinAbout")}</Text>
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={confirm.close} data-autofocus>
            {tLibrary("keepThem")}
          </Button>
          <Button
            color="red"
            onClick={() => {
              confirm.close();
              void remove(files.map(({ id }) => id)).then((done) => done && selection.clear());
            }}
          >
            {t("delete")}
          </Button>
        </Group>
      </Modal>
    </div>
  );
}
