import { Alert, Button, Group, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import { ApiError } from "../../platform/api/client";
import { t } from "../../platform/messages/aitext";
import LookOnly from "../../domain/teams/LookOnly";
import { toast } from "../../platform/notices/toast";
import { saveText, type AiText } from "./data";
import { dropDraft, heldDraft, holdDraft } from "./drafts";
import { nameOf } from "./words";
import styles from "./aitext.module.css";

interface Props {
  text: AiText;
  /** False once the person may only look: what they typed stays, but cannot be saved. */
  mayChange: boolean;
  onDone: () => void;
  /** Fetches the texts again. */
  onSaved: () => Promise<unknown>;
}

/** Edit a text as Markdown. What is typed is kept until it is saved or discarded. */
export function EditText({ text, mayChange, onDone, onSaved }: Props) {
  const [draft, setDraft] = useState(
    () => heldDraft(text.id) ?? { content: text.content, version: text.version },
  );
  const [busy, setBusy] = useState(false);
  const [conflict, setConflict] = useState<string>();

  const save = async (version: number) => {
    if (!mayChange) return;
    setBusy(true);
    try {
      await saveText(text.id, draft.content, version);
      dropDraft(text.id);
      toast("success", t("edit.saved"));
      onDone();
    } catch (error) {
      if (error instanceof ApiError && error.code === "text_changed") setConflict(error.message);
      else toast("error", (error as Error).message);
    } finally {
      setBusy(false);
      await onSaved();
    }
  };
  const discard = () => {
    dropDraft(text.id);
    onDone();
  };

  return (
    <form
      className={styles.edit}
      onSubmit={(event) => {
        event.preventDefault();
        void save(draft.version);
      }}
      onKeyDown={(event) => {
        if (event.key === "s" && (event.ctrlKey || event.metaKey)) {
          event.preventDefault();
          void save(draft.version);
        }
      }}
    >
      {!mayChange && <LookOnly about="draft" />}
      {conflict !== undefined && (
        <Alert color="yellow" role="alert">
          {conflict}
          <Group gap="sm" mt="xs">
            <Button size="compact-sm" onClick={() => void save(text.version)} loading={busy}>
              {t("conflict.saveMine")}
            </Button>
            <Button size="compact-sm" variant="default" onClick={discard}>
              {t("conflict.loadTheirs")}
            </Button>
          </Group>
        </Alert>
      )}
      <Textarea
        label={t("edit.label", { text: nameOf(text) })}
        value={draft.content}
        autosize
        minRows={12}
        lang={text.language}
        dir="auto"
        autoFocus
        readOnly={!mayChange}
        data-testid="edit-text"
        onChange={(event) => {
          const next = { ...draft, content: event.currentTarget.value };
          setDraft(next);
          holdDraft(text.id, next);
        }}
      />
      <Text size="xs" className="quiet">
        {t("edit.markdown")}
      </Text>
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={discard}>
          {t("discard")}
        </Button>
        <Button type="submit" loading={busy} disabled={!mayChange || draft.content.trim() === ""}>
          {t("save")}
        </Button>
      </Group>
    </form>
  );
}
