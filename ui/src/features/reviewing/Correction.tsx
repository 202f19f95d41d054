import { Button, Textarea } from "@mantine/core";
import { useRef, useState } from "react";
import { newId } from "../../domain/captions/model/commands";
import { t } from "../../platform/messages/reviewLinks";
import { newerText, saveLine, type ReviewLine, type Saved } from "./data";
import { draftOf, keepDraft } from "./drafts";
import styles from "./reviewing.module.css";

interface Props {
  id: string;
  line: ReviewLine;
  language: string;
  revision: number;
  onSaved: (saved: Saved) => void;
  onClose: () => void;
}

/** A box to correct a line. What is typed stays until it is saved or cancelled. */
export function Correction({ id, line, language, revision, onSaved, onClose }: Props) {
  const [text, setText] = useState(() => draftOf(id, line.id) ?? line.text);
  const [problem, setProblem] = useState<string>();
  const [newer, setNewer] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  /** What the text was made from: a change of others since then is shown before it is replaced. */
  const issued = useRef(revision);
  /** Repeated after a lost answer. */
  const command = useRef(newId());

  const close = () => {
    keepDraft(id, line.id, undefined);
    onClose();
  };
  const save = async () => {
    if (isBusy) return;
    if (text === line.text) return close();
    setBusy(true);
    setProblem(undefined);
    try {
      const body = { line: line.id, text, issued: issued.current, command: command.current };
      const saved = await saveLine(id, { ...body, language });
      close();
      onSaved(saved);
    } catch (error) {
      const held = newerText(error);
      if (held?.text != null) {
        issued.current = held.revision;
        command.current = newId();
        setNewer(held.text);
      }
      setProblem((error as Error).message);
      setBusy(false);
    }
  };
  return (
    <form
      className={styles.write}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Textarea
        label={t("line.text")}
        autosize
        autoFocus
        minRows={2}
        maxRows={8}
        value={text}
        lang={language}
        dir="auto"
        spellCheck
        data-testid="correction"
        onChange={(event) => {
          const typed = event.currentTarget.value;
          setText(typed);
          keepDraft(id, line.id, typed === line.text ? undefined : typed);
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
            event.preventDefault();
            void save();
          }
          if (event.key === "Escape") close();
        }}
      />
      {problem !== undefined && (
        <p role="alert" className="danger-text">
          {newer === undefined ? problem : t("line.newer", { text: newer })}
        </p>
      )}
      <div className={styles.buttons}>
        <Button type="submit" size="compact-sm" loading={isBusy}>
          {newer === undefined ? t("line.save") : t("line.saveMine")}
        </Button>
        <Button variant="subtle" size="compact-sm" onClick={close}>
          {newer === undefined ? t("line.cancel") : t("line.keepTheirs")}
        </Button>
      </div>
    </form>
  );
}
