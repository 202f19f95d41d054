import { ActionIcon, Alert, Button, Tooltip, useComputedColorScheme } from "@mantine/core";
import { useDisclosure, useMediaQuery } from "@mantine/hooks";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { usePanel } from "../aitext/usePanel";
import { AiTextPane } from "../aitext/AiTextPane";
import { EmptyState } from "../../layouts/EmptyState";
import { IconMinus, IconPlus } from "../../theme/icons";
import { canRestart, useFileActions, type MediaFile } from "../files/data";
import { asksLanguage } from "../languages/asksLanguage";
import { LanguageQuestion } from "../languages/LanguageQuestion";
import { EditorBar } from "./EditorBar";
import type { Editing } from "./editing";
import { KeysHelp } from "./keys/KeysHelp";
import { useKeys } from "./keys/useKeys";
import { LineList } from "./lines/LineList";
import { Panes } from "./Panes";
import { Transport } from "./player/Transport";
import { VideoPane } from "./player/VideoPane";
import { useView } from "./useEditorStore";
import { Waveform } from "./wave/Waveform";
import styles from "./editor.module.css";

const ExportDialog = lazy(() => import("../exports/ExportDialog"));

/** Pixels per second. */
const ZOOMS = [12, 25, 50, 90, 160, 300];

export function EditorView({ file, editing }: { file: MediaFile; editing: Editing }) {
  const { store } = editing;
  const actions = useFileActions();
  const scheme = useComputedColorScheme("light");
  const [zoom, setZoom] = useState(3);
  const [exporting, exportDialog] = useDisclosure();
  const [keysShown, keysDialog] = useDisclosure();
  const readOnly = useView(store, (view) => view.captions.is_live);
  const empty = useView(store, (view) => view.captions.lines.length === 0);
  const language = useView(store, (view) => view.captions.language);
  const locked = useView(store, (view) => view.locked);
  const revision = useView(store, (view) => view.captions.revision);
  const panel = usePanel();
  // A text on a phone needs the room more than the waveform, which is for retiming captions.
  const hidesWave = useMediaQuery("(max-width: 860px)") && panel.isOpen;
  // Keys do not change captions that cannot be seen.
  useKeys(editing, { readOnly: readOnly || panel.isOpen, fps: file.fps, onHelp: keysDialog.open });
  const closeExport = () => {
    exportDialog.close();
    editing.goTo();
  };

  return (
    <div className={styles.editor}>
      <EditorBar
        file={file}
        editing={editing}
        onExport={exportDialog.open}
        onKeys={keysDialog.open}
      />
      {asksLanguage(file) && <LanguageQuestion file={file} radius={0} />}
      {canRestart(file) && !asksLanguage(file) && (
        <Alert color="red" radius={0} role="alert" className={styles.editorAlert}>
          <span>{file.error ?? "This file was cancelled before it was transcribed."}</span>
          <Button size="compact-sm" color="red" onClick={() => void actions.retry(file.slug)}>
            Start again
          </Button>
        </Alert>
      )}
      <Panes
        left={<VideoPane file={file} editing={editing} />}
        right={
          <AiTextPane file={file} playback={editing.playback} revision={revision}>
            {empty ? (
              <NoLines file={file} readOnly={readOnly} onAdd={() => editing.add(null)} />
            ) : (
              <LineList editing={editing} readOnly={readOnly} />
            )}
          </AiTextPane>
        }
      />
      <div className={styles.editorFoot}>
        <Transport editing={editing} durationMs={file.duration_ms}>
          <Zoom value={zoom} onChange={setZoom} />
        </Transport>
        {!hidesWave && (
          <Waveform
            file={file}
            editing={editing}
            zoom={ZOOMS[zoom] ?? 90}
            readOnly={readOnly || locked}
            scheme={scheme}
          />
        )}
      </div>
      <Suspense fallback={null}>
        {exporting && <ExportDialog file={file} language={language} opened onClose={closeExport} />}
      </Suspense>
      <KeysHelp opened={keysShown} onClose={keysDialog.close} />
    </div>
  );
}

function NoLines(props: { file: MediaFile; readOnly: boolean; onAdd: () => void }) {
  const { file, readOnly, onAdd } = props;
  // Only a finished transcription shows that there is no speech.
  const silence = file.status === "completed" ? "No speech was found" : "No captions yet";
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // After the last line is deleted, nothing would have the focus.
    if (document.activeElement === document.body) box.current?.querySelector("button")?.focus();
  }, []);
  return (
    <div ref={box} className={styles.editorEmpty}>
      <EmptyState
        loading={false}
        hero={readOnly ? "listening" : "silence"}
        title={readOnly ? "Transcribing" : silence}
        description={
          readOnly
            ? "Captions appear here as they are transcribed."
            : "Add the first line yourself, or import a subtitle file."
        }
        add={readOnly ? undefined : { label: "Add a line", contentType: "line", onAdd }}
      />
    </div>
  );
}

function Zoom({ value, onChange }: { value: number; onChange: (value: number) => void }) {
  return (
    <>
      <Tooltip label="Zoom out">
        <ActionIcon
          size="lg"
          aria-label="Zoom out"
          disabled={value === 0}
          onClick={() => onChange(value - 1)}
        >
          <IconMinus size={18} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label="Zoom in">
        <ActionIcon
          size="lg"
          aria-label="Zoom in"
          disabled={value === ZOOMS.length - 1}
          onClick={() => onChange(value + 1)}
        >
          <IconPlus size={18} />
        </ActionIcon>
      </Tooltip>
    </>
  );
}
