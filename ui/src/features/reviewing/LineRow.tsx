import { Button } from "@mantine/core";
import { memo, useState } from "react";
import { clock } from "../../domain/files/format";
import { t } from "../../platform/messages/reviewLinks";
import { Thread, Writing } from "../captions/notes/Thread";
import type { Note, NoteActions } from "../captions/notes/data";
import type { Review, ReviewLine, Saved } from "./data";
import { Correction } from "./Correction";
import { draftOf } from "./drafts";
import styles from "./reviewing.module.css";

interface Props {
  id: string;
  line: ReviewLine;
  rights: Review["rights"];
  language: string;
  revision: number;
  notes: readonly Note[];
  actions: NoteActions;
  isCurrent: boolean;
  onPlay: (ms: number) => void;
  onSaved: (saved: Saved) => void;
}

/** A line: when and what is said, what people wrote about it, and a box to correct it. */
export const LineRow = memo(function LineRow(props: Props) {
  const { id, line, rights, language, revision, notes, actions, isCurrent, onPlay, onSaved } =
    props;
  const [isCorrecting, setCorrecting] = useState(() => draftOf(id, line.id) !== undefined);
  const [isWriting, setWriting] = useState(false);
  const time = clock(line.start_ms);
  const mayCorrect = rights === "edit" && !line.locked;
  return (
    <li
      className={styles.line}
      data-line={line.id}
      data-current={isCurrent || undefined}
      data-testid="review-line"
    >
      <button
        type="button"
        className={`${styles.time} tabular`}
        aria-label={t("line.play", { time })}
        onClick={() => onPlay(line.start_ms)}
      >
        {time}
      </button>
      <div className={styles.body}>
        {line.speaker !== null && <span className={styles.speaker}>{line.speaker}</span>}
        {line.original !== null && (
          <p className={`${styles.original} quiet`} dir="auto">
            {line.original}
          </p>
        )}
        {isCorrecting ? (
          <Correction
            id={id}
            line={line}
            language={language}
            revision={revision}
            onSaved={onSaved}
            onClose={() => setCorrecting(false)}
          />
        ) : (
          <p className={styles.text} dir="auto" lang={language}>
            {line.text}
          </p>
        )}
        {rights !== "view" && !isCorrecting && !isWriting && (
          <div className={styles.buttons}>
            {mayCorrect && (
              <Button
                variant="subtle"
                size="compact-xs"
                aria-label={t("line.correctNamed", { time })}
                onClick={() => setCorrecting(true)}
              >
                {t("line.correct")}
              </Button>
            )}
            {rights === "edit" && line.locked && (
              <span className={`${styles.locked} quiet`}>{t("line.locked")}</span>
            )}
            <Button
              variant="subtle"
              size="compact-xs"
              aria-label={t("line.noteNamed", { time })}
              onClick={() => setWriting(true)}
            >
              {t("line.note")}
            </Button>
          </div>
        )}
        {isWriting && (
          <Writing
            label={t("line.newNote")}
            action={t("line.send")}
            onDone={async (text) => {
              if (text === null || (await actions.add({ text, line: line.id }))) setWriting(false);
            }}
          />
        )}
        {notes.length > 0 && (
          <ul className={styles.threads}>
            {notes.map((note) => (
              <Thread
                key={note.id}
                note={note}
                readOnly={rights === "view"}
                mayResolve={false}
                actions={actions}
              />
            ))}
          </ul>
        )}
      </div>
    </li>
  );
});
