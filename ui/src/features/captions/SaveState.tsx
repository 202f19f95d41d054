import { Button } from "@mantine/core";
import { t as e } from "../../platform/messages/editor";
import { ConflictDialog } from "./ConflictDialog";
import { t } from "../../platform/messages/editing";
import { IconRefresh } from "../../platform/theme/icons";
import type { Editing } from "../editor/editing";
import type { SaveState as Saving } from "../../domain/captions/store/state";
import { useView } from "../editor/useView";
import styles from "./editor.module.css";

/** Without a connection, that nothing is lost matters more than that it is not saved. */
const wordsOf = (save: Saving): string =>
  save.kind === "failed" && (save.isAway || !navigator.onLine)
    ? t("together.offlineKept", { count: save.kept })
    : e(save.kind);

/** Whether everything is saved, and what to do when it is not. */
export function SaveState({ editing }: { editing: Editing }) {
  const { store } = editing;
  const save = useView(store, (view) => view.save);
  return (
    <>
      {save.kind === "failed" && (
        <Button
          size="compact-sm"
          variant="light"
          color="red"
          className={styles.retry}
          leftSection={<IconRefresh size={16} />}
          title={save.message}
          onClick={() => store.retry()}
        >
          {e("tryAgain")}
        </Button>
      )}
      <span
        className={styles.saveState}
        role="status"
        data-testid="save-state"
        data-state={save.kind}
        title={save.kind === "failed" ? save.message : undefined}
      >
        <i className={styles.saveDot} data-state={save.kind} aria-hidden="true" />
        <span className={styles.saveWords}>{wordsOf(save)}</span>
      </span>
      {save.kind === "conflict" && (
        <ConflictDialog
          conflict={save.conflict}
          onChoose={(choice) => editing.goInto(store.resolve(choice))}
        />
      )}
    </>
  );
}
