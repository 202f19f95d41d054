import { Button, Group, Modal, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { lazy, Suspense } from "react";
import { IconDownload, IconTag, IconTrash, IconUsersGroup, IconX } from "../../theme/icons";
import { useSession } from "../auth/session";
import { useBinActions } from "./binData";
import { useSelection } from "./selection";
import styles from "./fileBrowser.module.css";

const TagsDialog = lazy(() => import("../tags/TagsDialog"));
const MoveDialog = lazy(() => import("../teams/MoveDialog"));
const CaptionsDialog = lazy(() => import("./CaptionsDialog"));

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
  const counted = files.length === 1 ? "1 file" : `${files.length} files`;
  return (
    <div className={styles.bar} role="toolbar" aria-label="Selected files" data-testid="selection">
      <strong aria-live="polite">{counted} selected</strong>
      <Group gap={6} wrap="wrap">
        <Button
          size="compact-md"
          variant="default"
          leftSection={<IconTag size={16} />}
          onClick={tags.open}
        >
          Tags…
        </Button>
        {hasTeams && (
          <Button
            size="compact-md"
            variant="default"
            leftSection={<IconUsersGroup size={16} />}
            onClick={move.open}
          >
            Move to…
          </Button>
        )}
        <Button
          size="compact-md"
          variant="default"
          leftSection={<IconDownload size={16} />}
          onClick={captions.open}
        >
          Captions…
        </Button>
        <Button
          size="compact-md"
          variant="default"
          leftSection={<IconTrash size={16} />}
          onClick={confirm.open}
        >
          Delete
        </Button>
        <Button
          size="compact-md"
          variant="subtle"
          leftSection={<IconX size={16} />}
          onClick={selection.clear}
        >
          Clear selection
        </Button>
      </Group>
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
      <Modal opened={deleting} onClose={confirm.close} title={`Delete ${counted}?`}>
        <Text>They move to the bin, from which you can restore them for 30 days.</Text>
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={confirm.close} data-autofocus>
            Keep them
          </Button>
          <Button
            color="red"
            onClick={() => {
              confirm.close();
              void remove(files.map(({ id }) => id)).then((done) => done && selection.clear());
            }}
          >
            Delete
          </Button>
        </Group>
      </Modal>
    </div>
  );
}
