import { Button, Checkbox, Textarea } from "@mantine/core";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { usePublicConfig } from "../../../platform/api/publicConfig";
import { EmptyState } from "../../../platform/page/EmptyState";
import { t } from "../../../platform/messages/editing";
import type { PanelProps } from "../../editor/panels/panel";
import { useView } from "../../editor/useView";
import { useNoteActions, useNotes } from "./data";
import { Thread } from "./Thread";
import styles from "./notes.module.css";

/** What people wrote about lines of these captions, in threads, and a box to write about the selected line. */
export default function NotesPanel({ file, editing, readOnly, openings, params }: PanelProps) {
  const { store } = editing;
  const language = useView(store, (view) => view.captions.language);
  const { data, error, mutate } = useNotes(file.slug, language);
  const actions = useNoteActions(file.slug, language);
  const { selected } = useSyncExternalStore(editing.subscribe, editing.getFocus);
  const [withResolved, setWithResolved] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const wanted = params["line"];
  const isLoaded = data !== undefined;

  useEffect(() => {
    if (wanted === undefined || openings === 0 || !isLoaded) return;
    const thread = list.current?.querySelector<HTMLElement>(`[data-line="${CSS.escape(wanted)}"]`);
    thread?.scrollIntoView({ block: "nearest" });
    thread?.focus({ preventScroll: true });
  }, [wanted, openings, isLoaded]);

  if (data === undefined) {
    return error === undefined ? (
      <EmptyState />
    ) : (
      <p className={styles.problem} role="alert">
        {error.message}
        <Button variant="subtle" size="compact-sm" onClick={() => void mutate()}>
          {t("together.tryAgain")}
        </Button>
      </p>
    );
  }
  const shown = data.filter(({ resolved_at }) => withResolved || resolved_at === null);
  const resolved = data.filter(({ resolved_at }) => resolved_at !== null).length;
  return (
    <div className={styles.notes}>
      {!readOnly && (
        <NewNote
          key={selected}
          isReady={selected !== null}
          onAdd={async (text) => {
            // The line may be so new that the server does not know it yet.
            if (selected === null || !(await store.settled())) return false;
            return actions.add({ text, line: selected });
          }}
        />
      )}
      {resolved > 0 && (
        <Checkbox
          label={`${t("together.showResolved")} (${resolved})`}
          checked={withResolved}
          onChange={(event) => setWithResolved(event.currentTarget.checked)}
        />
      )}
      {shown.length === 0 && (
        <p className="quiet">
          {data.length === 0 ? t("together.noNotes") : t("together.noOpenNotes")}
        </p>
      )}
      <ul ref={list} className={styles.threads} data-testid="notes">
        {shown.map((note) => (
          <Thread
            key={note.id}
            note={note}
            readOnly={readOnly}
            actions={actions}
            onGo={() => {
              if (note.line === null) return;
              editing.goTo(note.line);
              const line = store.get().captions.lines.find(({ id }) => id === note.line);
              if (line !== undefined) editing.playback.seek(line.start_ms);
            }}
          />
        ))}
      </ul>
    </div>
  );
}

function NewNote({
  isReady,
  onAdd,
}: {
  isReady: boolean;
  onAdd: (text: string) => Promise<boolean>;
}) {
  const [text, setText] = useState("");
  const [isBusy, setBusy] = useState(false);
  const add = () => {
    if (text.trim() === "" || isBusy) return;
    setBusy(true);
    void onAdd(text)
      .then((done) => done && setText(""))
      .finally(() => setBusy(false));
  };
  return (
    <form
      className={styles.write}
      onSubmit={(event) => {
        event.preventDefault();
        add();
      }}
    >
      <Textarea
        label={t("together.noteFor")}
        placeholder={isReady ? t("together.noteHint") : t("together.selectLine")}
        disabled={!isReady}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={usePublicConfig()?.text_limits.note}
        value={text}
        data-testid="new-note"
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) add();
        }}
      />
      <Button type="submit" size="sm" loading={isBusy} disabled={!isReady || text.trim() === ""}>
        {t("together.addNote")}
      </Button>
    </form>
  );
}
