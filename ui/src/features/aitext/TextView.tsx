import { Alert, Button, Progress, Title } from "@mantine/core";
import { useState } from "react";
import { t } from "../../platform/messages/aitext";
import { Blocks } from "./Blocks";
import { Coverage } from "./Coverage";
import { isOpen, type AiText, type useTextActions } from "./data";
import { heldDraft } from "./drafts";
import { EditText } from "./EditText";
import type { Listen } from "./SentenceView";
import { TextTools } from "./TextTools";
import { madeWords, nameOf, staleWords, waitingWords } from "./words";
import styles from "./aitext.module.css";

const ONLY_SELECTED = t("rules.written");
const SELECTED_AND_EDITED = t("rules.edited");

interface Props {
  text: AiText;
  actions: ReturnType<typeof useTextActions>;
  mayChange: boolean;
  onListen: Listen;
}

/** One text with its state, marks and actions. */
export function TextView({ text, actions, mayChange, onListen }: Props) {
  const [editing, setEditing] = useState(() => heldDraft(text.id) !== undefined);
  const written = text.version > 0;
  const again = () => void actions.again(text.id);

  if (editing && written && !isOpen(text)) {
    return (
      <EditText
        text={text}
        mayChange={mayChange}
        onDone={() => setEditing(false)}
        onSaved={actions.refresh}
      />
    );
  }
  return (
    <article className={styles.text} data-testid="ai-text" data-state={text.state}>
      <header className={styles.textHead}>
        <div>
          <Title order={2} size="h3" lang={text.language} dir="auto">
            {text.title === "" ? nameOf(text) : text.title}
          </Title>
          {written && <p className="quiet">{madeWords(text)}</p>}
        </div>
        <TextTools
          text={text}
          actions={actions}
          mayChange={mayChange}
          onEdit={() => setEditing(true)}
        />
      </header>
      {isOpen(text) && (
        <Waiting
          text={text}
          onCancel={mayChange ? () => void actions.cancel(text.id) : undefined}
        />
      )}
      {text.state === "failed" && (
        <Alert color="red" role="alert">
          <p>{text.error}</p>
          {mayChange && (
            <Button size="compact-sm" color="red" onClick={again}>
              {t("tryAgain")}
            </Button>
          )}
        </Alert>
      )}
      {text.state === "cancelled" && (
        <Alert color="gray">
          <p>{mayChange ? t("state.youCancelled") : t("state.cancelled")}</p>
          {mayChange && (
            <Button size="compact-sm" variant="default" onClick={again}>
              {t("continue")}
            </Button>
          )}
        </Alert>
      )}
      {text.is_stale && !isOpen(text) && (
        <Alert color="yellow" role="status" data-testid="stale">
          <p>{staleWords(text.blocks)}</p>
          {mayChange && (
            <Button size="compact-sm" variant="default" onClick={again}>
              {t("writeAgain")}
            </Button>
          )}
        </Alert>
      )}
      {text.is_selection && (
        <Alert color="blue">{text.is_edited ? SELECTED_AND_EDITED : ONLY_SELECTED}</Alert>
      )}
      {written && <Coverage text={text} onListen={onListen} />}
      <Blocks blocks={text.blocks} language={text.language} onListen={onListen} />
      {text.notes.length > 0 && (
        <ul className={styles.notes} aria-label={t("notes.label")}>
          {text.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
    </article>
  );
}

function Waiting({ text, onCancel }: { text: AiText; onCancel: (() => void) | undefined }) {
  const words = waitingWords(text);
  return (
    <div className={styles.waiting}>
      <p role="status">
        {words}
        {text.version > 0 && <span className="quiet"> {t("state.oldStays")}</span>}
      </p>
      {onCancel !== undefined && (
        <Button size="compact-sm" variant="default" onClick={onCancel}>
          {t("cancel")}
        </Button>
      )}
      <Progress
        value={text.state === "running" ? text.progress : 0}
        size={5}
        aria-label={t("progress.label", { text: nameOf(text), progress: text.progress })}
      />
    </div>
  );
}
