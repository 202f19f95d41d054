import { Alert, Button, Group } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useCallback, useMemo, useState } from "react";
import { useParams } from "react-router";
import { usePageTitle } from "../../layouts/usePageTitle";
import { ExportDialog } from "../exports/ExportDialog";
import { useFile, useFileActions } from "../files/data";
import { EmptyState } from "../../layouts/EmptyState";
import { EditorToolbar } from "./EditorToolbar";
import { KeysHelp } from "./KeysHelp";
import { LineList } from "./LineList";
import type { RowActions } from "./LineRow";
import { usePlayer } from "./player";
import type { Line } from "./types";
import { useEditor } from "./useEditor";
import { useKeys } from "./useKeys";
import { VideoPane } from "./VideoPane";
import { Waveform } from "./Waveform";
import "./editor.css";

const NEW_LINE_MS = 2000;
const GAP_MS = 100;
const MIN_NEW_LINE_MS = 300;
const NO_LINES: Line[] = [];

export default function CaptionsPage() {
  usePageTitle("Subtitles");
  const { slug = "" } = useParams();
  const { data: file, error } = useFile(slug);
  const fileActions = useFileActions();
  const editor = useEditor(slug);
  const player = usePlayer();
  const [selected, setSelected] = useState<string | null>(null);
  const [exporting, exportDialog] = useDisclosure();
  const [keysShown, keysDialog] = useDisclosure();

  const lines = editor.captions?.lines ?? NO_LINES;
  const readOnly = editor.captions?.is_live ?? true;
  const current = useMemo(
    () => lines.findIndex((line) => line.start_ms <= player.nowMs && player.nowMs < line.end_ms),
    [lines, player.nowMs],
  );
  const { change } = editor;
  const { seek, playSpan } = player;

  const addAfter = useCallback(
    (id: string | null) => {
      const index = id === null ? lines.length - 1 : lines.findIndex((line) => line.id === id);
      const start = (lines[index]?.end_ms ?? -GAP_MS) + GAP_MS;
      const limit = lines[index + 1]?.start_ms;
      const end =
        limit === undefined ? start + NEW_LINE_MS : Math.min(start + NEW_LINE_MS, limit - GAP_MS);
      void change({
        action: "Add",
        start,
        end: Math.max(end, start + MIN_NEW_LINE_MS),
        content: "New line",
      });
    },
    [lines, change],
  );
  const actions = useMemo<RowActions>(
    () => ({
      select: setSelected,
      seek,
      change: (edit) => void change(edit),
      addAfter,
      mergeNext: (id) => void change({ action: "Merge", line: id }),
      play: (line) => playSpan(line.start_ms, line.end_ms),
    }),
    [seek, change, addAfter, playSpan],
  );
  const chosen = lines.findIndex((line) => line.id === selected);
  useKeys({
    toggle: player.toggle,
    jump: (ms) => seek(player.nowMs + ms),
    step: (count) => {
      const from = chosen >= 0 ? chosen : current;
      const target = lines[Math.max(0, Math.min(lines.length - 1, from + count))];
      if (target === undefined) return;
      setSelected(target.id);
      seek(target.start_ms);
    },
    playLine: () => {
      const line = lines[chosen >= 0 ? chosen : current];
      if (line !== undefined) playSpan(line.start_ms, line.end_ms);
    },
    mergeNext: () => {
      const line = lines[chosen];
      if (!readOnly && line !== undefined && chosen < lines.length - 1) actions.mergeNext(line.id);
    },
    undo: () => void change({ action: "Undo" }),
    redo: () => void change({ action: "Redo" }),
    help: keysDialog.open,
  });

  if (error !== undefined && file === undefined) {
    return (
      <Alert color="red" m="lg" role="alert">
        {error.message}
      </Alert>
    );
  }
  if (file === undefined || editor.captions === undefined) {
    return editor.error === undefined || file === undefined ? (
      <EmptyState title="" description="" />
    ) : (
      <Alert color="red" m="lg" role="alert">
        {editor.error.message}
      </Alert>
    );
  }
  return (
    <div className="editor">
      <EditorToolbar
        file={file}
        editor={editor}
        onExport={exportDialog.open}
        onKeys={keysDialog.open}
      />
      {file.error !== null && (
        <Alert color="red" mx="md" role="alert">
          <Group justify="space-between">
            {file.error}
            <Button size="compact-sm" variant="light" onClick={() => void fileActions.retry(slug)}>
              Start again
            </Button>
          </Group>
        </Alert>
      )}
      <div className="editor-panes">
        <VideoPane file={file} player={player} current={lines[current]} />
        <div className="editor-lines">
          {lines.length === 0 ? (
            <EmptyState
              loading={false}
              title={readOnly ? "Listening" : "No speech was found"}
              description={
                readOnly
                  ? "Lines appear here as soon as they are heard."
                  : "Write the first line by hand, or import a subtitle file."
              }
              add={
                readOnly
                  ? undefined
                  : { label: "Add a line", contentType: "line", onAdd: () => addAfter(null) }
              }
            />
          ) : (
            <LineList
              lines={lines}
              current={current}
              selected={selected}
              readOnly={readOnly}
              actions={actions}
            />
          )}
        </div>
      </div>
      <Waveform
        file={file}
        player={player}
        lines={lines}
        selected={selected}
        readOnly={readOnly}
        onSelect={setSelected}
        onRetime={(id, start, end) => void change({ action: "Edit", line: id, start, end })}
      />
      <ExportDialog
        file={file}
        language={editor.captions.language}
        opened={exporting}
        onClose={exportDialog.close}
      />
      <KeysHelp opened={keysShown} onClose={keysDialog.close} />
    </div>
  );
}
