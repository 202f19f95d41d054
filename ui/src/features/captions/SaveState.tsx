import { Button } from "@mantine/core";
import { ConflictDialog } from "./ConflictDialog";
import type { Editing } from "./editing";
import { useView } from "./useEditorStore";

const TEXT = {
  saved: "All changes saved",
  unsaved: "Editing …",
  saving: "Saving …",
  failed: "Not saved yet",
  conflict: "Changed elsewhere",
};

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
          title={save.message}
          onClick={() => store.retry()}
        >
          Try again
        </Button>
      )}
      <span
        className="save-state"
        role="status"
        data-testid="save-state"
        data-state={save.kind}
        title={save.kind === "failed" ? save.message : undefined}
      >
        <i className={`save-dot save-dot-${save.kind}`} aria-hidden="true" />
        <span className="save-words">{TEXT[save.kind]}</span>
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
