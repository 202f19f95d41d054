import { Button, Textarea } from "@mantine/core";
import { useState } from "react";
import { usePublicConfig } from "../../../platform/api/publicConfig";
import { t } from "../../../platform/messages/editing";
import { whenOf } from "../history/words";
import { useClock } from "../../editor/clock";
import type { Note, NoteActions, Reply } from "./data";
import styles from "./notes.module.css";

interface Props {
  note: Note;
  readOnly: boolean;
  /** People with an account resolve threads. */
  mayResolve?: boolean;
  actions: NoteActions;
  /** Goes to the line of the note; undefined where the thread stands beside that line. */
  onGo?: () => void;
}

/** A note with its answers, and what can be done with them. */
export function Thread({ note, readOnly, mayResolve = true, actions, onGo }: Props) {
  const [isReplying, setReplying] = useState(false);
  const { show: stamp } = useClock();
  const isResolved = note.resolved_at !== null;
  return (
    <li
      className={styles.thread}
      data-testid="note"
      data-line={note.line ?? undefined}
      data-resolved={isResolved || undefined}
      tabIndex={-1}
    >
      {note.line === null ? (
        <p className={`${styles.about} quiet`}>
          {t("together.lineDeleted", { text: note.line_text })}
        </p>
      ) : (
        onGo !== undefined && (
          <button
            type="button"
            className={styles.about}
            aria-label={t("together.goToLine", { time: stamp(note.start_ms) })}
            onClick={onGo}
          >
            <span className="tabular">{stamp(note.start_ms)}</span> {note.line_text}
          </button>
        )
      )}
      {[note, ...note.replies].map((said) => (
        <Said
          key={said.id}
          said={said}
          readOnly={readOnly}
          isDeletable={said.is_you || (mayResolve && said.id === note.id && isResolved)}
          actions={actions}
        />
      ))}
      {isResolved && (
        <p className="quiet">
          {t("together.resolvedBy", { name: note.resolved_by ?? t("together.somebody") })}
        </p>
      )}
      {!readOnly && !isReplying && (
        <div className={styles.buttons}>
          <Button variant="subtle" size="compact-xs" onClick={() => setReplying(true)}>
            {t("together.reply")}
          </Button>
          {mayResolve && (
            <Button
              variant="subtle"
              size="compact-xs"
              data-testid="resolve-note"
              onClick={() => void actions.change(note.id, { resolved: !isResolved })}
            >
              {isResolved ? t("together.reopen") : t("together.resolve")}
            </Button>
          )}
        </div>
      )}
      {isReplying && (
        <Writing
          label={t("together.replyHint")}
          action={t("together.send")}
          onDone={async (text) => {
            if (text === null || (await actions.add({ text, reply_to: note.id })))
              setReplying(false);
          }}
        />
      )}
    </li>
  );
}

interface SaidProps {
  said: Reply;
  readOnly: boolean;
  isDeletable: boolean;
  actions: NoteActions;
}

function Said({ said, readOnly, isDeletable, actions }: SaidProps) {
  const [isEditing, setEditing] = useState(false);
  const { id, text, by, is_you, is_guest, at, edited_at } = said;
  const author = is_guest
    ? t("together.guest", { name: by ?? t("together.somebody") })
    : (by ?? t("together.somebody"));
  const facts = [is_you ? t("together.you") : author, whenOf(at)];
  return (
    <div className={styles.said}>
      <span className={`${styles.facts} quiet`}>
        {[...facts, ...(edited_at === null ? [] : [t("together.edited")])].join(" · ")}
      </span>
      {isEditing ? (
        <Writing
          label={t("together.edit")}
          action={t("together.save")}
          text={text}
          onDone={async (changed) => {
            if (changed === null || (await actions.change(id, { text: changed })))
              setEditing(false);
          }}
        />
      ) : (
        <p dir="auto">{text}</p>
      )}
      {!readOnly && !isEditing && (is_you || isDeletable) && (
        <div className={styles.buttons}>
          {is_you && (
            <Button variant="subtle" size="compact-xs" onClick={() => setEditing(true)}>
              {t("together.edit")}
            </Button>
          )}
          {isDeletable && (
            <Button
              variant="subtle"
              color="red"
              size="compact-xs"
              onClick={() => void actions.remove(id)}
            >
              {t("together.remove")}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

interface WritingProps {
  label: string;
  action: string;
  text?: string;
  /** The text, or null when the person changed their mind. */
  onDone: (text: string | null) => Promise<void>;
}

/** A box to write or change a note. */
export function Writing({ label, action, text: first = "", onDone }: WritingProps) {
  const [text, setText] = useState(first);
  const [isBusy, setBusy] = useState(false);
  const send = () => {
    if (text.trim() === "" || isBusy) return;
    setBusy(true);
    void onDone(text).finally(() => setBusy(false));
  };
  return (
    <form
      className={styles.write}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <Textarea
        aria-label={label}
        placeholder={label}
        autosize
        autoFocus
        minRows={2}
        maxRows={8}
        maxLength={usePublicConfig()?.text_limits.note}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) send();
          if (event.key === "Escape") {
            event.preventDefault();
            void onDone(null);
          }
        }}
      />
      <div className={styles.buttons}>
        <Button type="submit" size="compact-sm" loading={isBusy} disabled={text.trim() === ""}>
          {action}
        </Button>
        <Button variant="subtle" size="compact-sm" onClick={() => void onDone(null)}>
          {t("together.cancel")}
        </Button>
      </div>
    </form>
  );
}
