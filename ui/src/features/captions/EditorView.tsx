import { useComputedColorScheme } from "@mantine/core";
import { useDisclosure, useLocalStorage, useMediaQuery } from "@mantine/hooks";
import { memo, Suspense, useCallback, useDeferredValue, useMemo, useState } from "react";
import { usePanel } from "../editor/panels/usePanel";
import { AiTextPane } from "../aitext/AiTextPane";
import { t as l } from "../../platform/messages/editor";
import { PaneBoundary } from "../../platform/failure/PaneBoundary";
import type { MediaFile } from "../../domain/files/data";
import { OfflineAnswers } from "../offline/OfflineAnswers";
import { SpeakersContext } from "../speakers/context";
import { useSpeakersForRows } from "../speakers/useSpeakersForRows";
import { NoLines, OtherTrack } from "./EmptyTrack";
import { EditorBar } from "./EditorBar";
import { EditorNotices } from "./EditorNotices";
import type { Editing } from "../editor/editing";
import { KeysHelp } from "./keys/KeysHelp";
import { useKeys } from "./keys/useKeys";
import { LineList } from "./lines/LineList";
import { TrackContext } from "./lines/trackContext";
import { PeopleContext, usePeople } from "./live/usePeople";
import { NotesContext } from "./notes/context";
import { openByLine, useNotes } from "./notes/data";
import { Panes } from "./Panes";
import { PanelPane } from "./panels/PanelPane";
import { PanelsContext, usePanels, usePanelsState } from "../editor/panels/usePanels";
import { Transport } from "./player/Transport";
import { VideoPane } from "./player/VideoPane";
import { WordMenus } from "./spelling/WordMenus";
import { usePicture } from "./timing/shots";
import { TrackBar } from "./tracks/TrackBar";
import { useCaptions, useView } from "../editor/useEditorStore";
import { useTrack } from "./useTrack";
import { ZoomLevel } from "./wave/zoomLevel";
import styles from "./editor.module.css";
import { part } from "../../platform/failure/Later";

const ExportDialog = part(() => import("../exports/ExportDialog"));
// It would keep the lines waiting.
const Waveform = part(() => import("./wave/Waveform"));
const SpeakersPanel = part(() => import("../speakers/SpeakersPanel"));

interface Props {
  file: MediaFile;
  editing: Editing;
  /** The language of the chosen translation; undefined for the original. */
  language: string | undefined;
  /** Set while `editing` still has the captions of another language: they load, or cannot be loaded. */
  wait: "loading" | Error | null;
  onLanguage: (language: string | undefined) => void;
}

/** The page around it renders for every line that arrives; the editor renders what a line changes. */
export const EditorView = memo(function EditorView(props: Props) {
  return (
    <PanelsContext value={usePanelsState(props.editing)}>
      <Editor {...props} />
    </PanelsContext>
  );
});

function Editor({ file, editing, language: chosen, wait, onLanguage }: Props) {
  const { store } = editing;
  const scheme = useComputedColorScheme("light");
  const [zoom] = useState(() => new ZoomLevel());
  const [exporting, exportDialog] = useDisclosure();
  const [keysShown, keysDialog] = useDisclosure();
  const [speakersShown, speakersPanel] = useDisclosure();
  const [beside, setBeside] = useLocalStorage({ key: "sagascript.beside", defaultValue: true });
  const isBeside = beside && chosen !== undefined;
  const source = useView(store, (view) => view.captions.source_language) ?? file.language;
  const { data: original } = useCaptions(
    chosen === undefined
      ? null
      : { slug: file.slug, language: source === file.language ? undefined : source },
    { revalidateOnFocus: true },
  );
  const isLive = useView(store, (view) => view.captions.is_live);
  const mayChange = useView(store, (view) => view.captions.may_change);
  const isClosed = useView(store, ({ save }) => save.kind === "failed" && save.closed !== null);
  const readOnly = isLive || wait !== null || !mayChange;
  const empty = useView(store, (view) => view.captions.lines.length === 0);
  const language = useView(store, (view) => view.captions.language);
  const locked = useView(store, (view) => view.locked);
  const isOpen = !isLive && wait === null && !isClosed;
  const people = usePeople(file.slug, isOpen ? language : undefined, editing);
  const { data: notes } = useNotes(file.slug, isLive ? undefined : language);
  const notesByLine = useMemo(() => openByLine(notes ?? []), [notes]);
  usePicture(editing, file);
  const track = useTrack(editing, file, { language, chosen, source });
  const speakers = useSpeakersForRows(editing, file.slug);
  const panel = usePanel();
  const { current: tool } = usePanels();
  // Text and tools on a phone need the room more than the waveform, which is for retiming captions.
  const hidesWave =
    useMediaQuery("(max-width: 860px)") && (panel.isOpen || isBeside || tool !== null);
  const { isOpen: showsTexts, setOpen: showTexts } = panel;
  // Only the lines and the player are part of the first render; the bars follow when these are drawn.
  const hasBars = useDeferredValue(true, false);
  const onAiText = useCallback(() => showTexts(!showsTexts), [showTexts, showsTexts]);
  const onZoom = useCallback((by: 1 | -1) => zoom.step(by), [zoom]);
  // Keys do not change captions that cannot be seen.
  useKeys(editing, {
    readOnly: readOnly || panel.isOpen,
    mayChange,
    speakers,
    onHelp: keysDialog.open,
    onAiText,
    onZoom,
  });
  const closeExport = () => {
    exportDialog.close();
    editing.goTo();
  };

  return (
    <div className={styles.editor} data-editor>
      <PaneBoundary name={l("panes.toolbar")} at={file.slug}>
        <EditorBar
          file={file}
          editing={editing}
          language={chosen}
          people={people}
          onExport={exportDialog.open}
          mayChange={mayChange}
          onSpeakers={speakersPanel.toggle}
          onKeys={keysDialog.open}
        />
      </PaneBoundary>
      <PaneBoundary name={l("panes.trackBar")} at={file.slug}>
        <div className={styles.trackRoom}>
          {hasBars && (
            <TrackBar
              file={file}
              editing={editing}
              language={chosen}
              beside={isBeside}
              mayChange={mayChange}
              sources={wait === null ? original?.lines : undefined}
              onChoose={onLanguage}
              onBeside={setBeside}
            />
          )}
        </div>
      </PaneBoundary>
      <EditorNotices file={file} editing={editing} mayChange={mayChange} isClosed={isClosed} />
      <SpeakersContext value={speakers}>
        <PeopleContext value={people}>
          <NotesContext value={notesByLine}>
            <TrackContext value={track}>
              <PaneBoundary name={l("panes.wordMenus")} at={file.slug}>
                <WordMenus editing={editing} readOnly={readOnly} />
              </PaneBoundary>
              <Panes
                isBeside={isBeside}
                hasTool={tool !== null}
                left={
                  <PaneBoundary name={l("panes.player")} at={file.slug}>
                    <VideoPane file={file} editing={editing} />
                  </PaneBoundary>
                }
                right={
                  <AiTextPane file={file} editing={editing}>
                    <PanelPane file={file} editing={editing} readOnly={readOnly || locked}>
                      <PaneBoundary name={l("panes.linesPane")} at={`${file.slug} ${language}`}>
                        {wait !== null ? (
                          <OtherTrack
                            file={file}
                            language={chosen}
                            wait={wait}
                            onOriginal={() => onLanguage(undefined)}
                          />
                        ) : empty &&
                          !(isBeside && original !== undefined && original.lines.length > 0) ? (
                          <NoLines
                            file={file}
                            isLive={isLive}
                            readOnly={readOnly}
                            isTranslation={chosen !== undefined}
                            onAdd={() => editing.add(null)}
                          />
                        ) : (
                          <LineList
                            editing={editing}
                            readOnly={readOnly}
                            sources={isBeside ? original?.lines : undefined}
                          />
                        )}
                      </PaneBoundary>
                    </PanelPane>
                  </AiTextPane>
                }
              />
            </TrackContext>
          </NotesContext>
        </PeopleContext>
      </SpeakersContext>
      <div className={styles.editorFoot}>
        <PaneBoundary name={l("panes.transport")} at={file.slug}>
          <div className={styles.transportRoom}>
            {hasBars && (
              <Transport
                editing={editing}
                durationMs={file.duration_ms}
                zoom={hidesWave ? null : zoom}
                readOnly={readOnly || locked}
              />
            )}
          </div>
        </PaneBoundary>
        {!hidesWave && (
          <PaneBoundary name={l("panes.waveform")} at={file.slug}>
            <Suspense fallback={<div className={styles.waveRoom} />}>
              <Waveform
                file={file}
                editing={editing}
                level={zoom}
                readOnly={readOnly || locked}
                scheme={scheme}
              />
            </Suspense>
          </PaneBoundary>
        )}
      </div>
      <Suspense fallback={null}>
        {exporting && (
          <PaneBoundary name={l("panes.dialogPane")}>
            <ExportDialog
              file={file}
              language={language}
              mayChange={mayChange}
              opened
              onClose={closeExport}
            />
          </PaneBoundary>
        )}
      </Suspense>
      <Suspense fallback={null}>
        {speakersShown && (
          <PaneBoundary name={l("panes.speakersPane")}>
            <SpeakersPanel
              slug={file.slug}
              opened
              readOnly={readOnly || locked}
              mayChange={mayChange}
              editing={editing}
              onClose={speakersPanel.close}
            />
          </PaneBoundary>
        )}
      </Suspense>
      <OfflineAnswers slug={file.slug} language={language} />
      <PaneBoundary name={l("panes.keysPane")}>
        <KeysHelp opened={keysShown} onClose={keysDialog.close} />
      </PaneBoundary>
    </div>
  );
}
