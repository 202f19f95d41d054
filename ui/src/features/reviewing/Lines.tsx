import { useEffect, useMemo, useRef } from "react";
import { Thread } from "../captions/notes/Thread";
import type { Note, NoteActions } from "../captions/notes/data";
import { t } from "../../platform/messages/reviewLinks";
import type { Review, ReviewLine, Saved } from "./data";
import { LineRow } from "./LineRow";
import styles from "./reviewing.module.css";

interface Props {
  id: string;
  rights: Review["rights"];
  language: string;
  /** The newest revision that the page has. */
  revision: number;
  lines: readonly ReviewLine[];
  notes: readonly Note[];
  actions: NoteActions;
  /** The line that plays. */
  current: string | undefined;
  onPlay: (ms: number) => void;
  onSaved: (saved: Saved) => void;
}

const NONE: readonly Note[] = [];

/** The captions in order of time, each with what people wrote about it. */
export function Lines(props: Props) {
  const { id, rights, language, revision, lines, notes, actions, current, onPlay, onSaved } = props;
  const list = useRef<HTMLOListElement>(null);
  const byLine = useMemo(() => {
    const present = new Set(lines.map((line) => line.id));
    const found = new Map<string, Note[]>();
    for (const note of notes) {
      const key = note.line !== null && present.has(note.line) ? note.line : "";
      found.set(key, [...(found.get(key) ?? []), note]);
    }
    return found;
  }, [lines, notes]);
  const lost = byLine.get("") ?? NONE;

  useEffect(() => {
    // Not away from what somebody is writing.
    if (current === undefined || document.activeElement instanceof HTMLTextAreaElement) return;
    list.current
      ?.querySelector(`[data-line="${CSS.escape(current)}"]`)
      ?.scrollIntoView({ block: "nearest" });
  }, [current]);

  return (
    <>
      <ol ref={list} className={styles.list} data-testid="review-lines">
        {lines.map((line) => (
          <LineRow
            key={line.id}
            id={id}
            line={line}
            rights={rights}
            language={language}
            revision={revision}
            notes={byLine.get(line.id) ?? NONE}
            actions={actions}
            isCurrent={line.id === current}
            onPlay={onPlay}
            onSaved={onSaved}
          />
        ))}
      </ol>
      {lost.length > 0 && (
        <section aria-label={t("room.lostNotes")} className={styles.lost}>
          <h2>{t("room.lostNotes")}</h2>
          <ul className={styles.threads}>
            {lost.map((note) => (
              <Thread
                key={note.id}
                note={note}
                readOnly={rights === "view"}
                mayResolve={false}
                actions={actions}
                onGo={() => onPlay(note.start_ms)}
              />
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
