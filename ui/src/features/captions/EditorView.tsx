import { useDisclosure, useLocalStorage, useMediaQuery } from "@mantine/hooks";
import { memo, useCallback, useDeferredValue, useMemo, useState } from "react";
import type { MediaFile } from "../../domain/files/data";
import { PaneBoundary } from "../../platform/failure/PaneBoundary";
import { t as l } from "../../platform/messages/editor";
import { AiTextPane } from "../aitext/AiTextPane";
import { ClockContext, useClockOf } from "../editor/clock";
import { EditorContext, useEditor } from "../editor/context";
import type { Editing } from "../editor/editing";
import { takesText, useEditorState } from "../editor/editorState";
import { PanelsContext, usePanels, usePanelsState } from "../editor/panels/usePanels";
import { usePanel } from "../editor/panels/usePanel";
import { useCaptions } from "../editor/track/useCaptions";
import { useEditorSettings } from "../editor/useEditorSettings";
import { useView } from "../editor/useView";
import { OfflineAnswers } from "../offline/OfflineAnswers";
import { SpeakersContext } from "../speakers/context";
import { useSpeakersForRows } from "../speakers/useSpeakersForRows";
import { EditorBar } from "./EditorBar";
import { EditorDialogs } from "./EditorDialogs";
import { EditorFoot } from "./EditorFoot";
import { EditorNotices } from "./EditorNotices";
import { useKeys } from "./keys/useKeys";
import { LinesPane } from "./LinesPane";
import { TrackContext } from "./lines/trackContext";
import { PeopleContext, usePeople } from "./live/usePeople";
import { NotesContext } from "./notes/context";
import { openByLine, useNotes } from "./notes/data";
import { Panes } from "./Panes";
import { PanelPane } from "./panels/PanelPane";
import { VideoPane } from "./player/VideoPane";
import { WordMenus } from "./spelling/WordMenus";
import { Rail } from "./rail/Rail";
import { usePicture } from "./timing/shots";
import { TrackBar } from "./tracks/TrackBar";
import { useTrack } from "./useTrack";
import { ZoomLevel } from "./wave/zoomLevel";
import styles from "./editor.module.css";

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
  const { file, editing, language: chosen, wait, onLanguage } = props;
  const state = useEditorState(editing.store, wait);
  const mayChange = useView(editing.store, (view) => view.captions.may_change);
  const value = useMemo(
    () => ({ file, editing, chosen, state, mayChange }),
    [file, editing, chosen, state, mayChange],
  );
  const { settings } = useEditorSettings();
  const clock = useClockOf(editing.playback, file, settings);
  return (
    <EditorContext value={value}>
      <PanelsContext value={usePanelsState(editing)}>
        <ClockContext value={clock}>
          <Editor onLanguage={onLanguage} />
        </ClockContext>
      </PanelsContext>
    </EditorContext>
  );
});

function Editor({ onLanguage }: Pick<Props, "onLanguage">) {
  const { file, editing, chosen, state, mayChange } = useEditor();
  const { store } = editing;
  const [zoom] = useState(() => new ZoomLevel());
  const [exporting, exportDialog] = useDisclosure();
  const [sharing, shareDialog] = useDisclosure();
  const [keysShown, keysDialog] = useDisclosure();
  const [translating, translateDialog] = useDisclosure();
  const [beside, setBeside] = useLocalStorage({ key: "sagascript.beside", defaultValue: true });
  const canTranslate = mayChange && file.transcription_id !== null;
  const isBeside = beside && chosen !== undefined;
  const source = useView(store, (view) => view.captions.source_language) ?? file.language;
  const { data: original } = useCaptions(
    chosen === undefined
      ? null
      : { slug: file.slug, language: source === file.language ? undefined : source },
    { revalidateOnFocus: true },
  );
  const isLive = useView(store, (view) => view.captions.is_live);
  const language = useView(store, (view) => view.captions.language);
  const isOpen = takesText(state) || state.kind === "readOnly";
  const people = usePeople(file.slug, isOpen ? language : undefined, editing);
  const { data: notes } = useNotes(file.slug, isLive ? undefined : language);
  const notesByLine = useMemo(() => openByLine(notes ?? []), [notes]);
  usePicture(editing, file);
  const track = useTrack(editing, file, { language, chosen, source });
  const speakers = useSpeakersForRows(editing, file.slug);
  const panel = usePanel();
  const { current: tool } = usePanels();
  // Text and tools on a phone need the room more than the waveform, which is for retiming captions.
  const isNarrow = useMediaQuery("(max-width: 860px)");
  const hidesWave = isNarrow && (panel.isOpen || isBeside || tool !== null);
  const { isOpen: showsTexts, setOpen: showTexts } = panel;
  // Only the lines and the player are part of the first render; the bars follow when these are drawn.
  const hasBars = useDeferredValue(true, false);
  const onAiText = useCallback(() => showTexts(!showsTexts), [showTexts, showsTexts]);
  const onZoom = useCallback((by: 1 | -1) => zoom.step(by), [zoom]);
  // Keys do not change captions that cannot be seen.
  const readOnly = !takesText(state) || panel.isOpen;
  useKeys(editing, {
    readOnly,
    mayChange,
    speakers,
    onHelp: keysDialog.open,
    onAiText,
    onZoom,
    onExport: isLive ? undefined : exportDialog.open,
    onTranslate: canTranslate ? translateDialog.open : undefined,
  });

  return (
    <div className={styles.editor} data-editor>
      <PaneBoundary name={l("panes.toolbar")} at={file.slug}>
        <EditorBar
          people={people}
          onExport={exportDialog.open}
          onShare={shareDialog.open}
          onKeys={keysDialog.open}
        />
      </PaneBoundary>
      <PaneBoundary name={l("panes.trackBar")} at={file.slug}>
        <div className={styles.trackRoom}>
          {hasBars && (
            <TrackBar
              beside={isBeside}
              sources={state.kind === "other" ? undefined : original?.lines}
              onChoose={onLanguage}
              onBeside={setBeside}
              translating={translating}
              onTranslate={translateDialog.open}
              onTranslated={translateDialog.close}
            />
          )}
        </div>
      </PaneBoundary>
      <EditorNotices />
      <SpeakersContext value={speakers}>
        <PeopleContext value={people}>
          <NotesContext value={notesByLine}>
            <TrackContext value={track}>
              <PaneBoundary name={l("panes.wordMenus")} at={file.slug}>
                <WordMenus />
              </PaneBoundary>
              <div className={styles.work}>
                <Panes
                  isBeside={isBeside}
                  hasTool={tool !== null}
                  left={
                    <PaneBoundary name={l("panes.player")} at={file.slug}>
                      <VideoPane />
                    </PaneBoundary>
                  }
                  right={
                    <AiTextPane file={file} editing={editing}>
                      <PanelPane file={file} editing={editing} readOnly={state.kind !== "editable"}>
                        <PaneBoundary name={l("panes.linesPane")} at={`${file.slug} ${language}`}>
                          <LinesPane
                            sources={isBeside ? original?.lines : undefined}
                            onOriginal={() => onLanguage(undefined)}
                          />
                        </PaneBoundary>
                      </PanelPane>
                    </AiTextPane>
                  }
                />
                <div className={styles.railRoom}>
                  <PaneBoundary name={l("panels.tools")} at={file.slug}>
                    {hasBars && (
                      <Rail onTranslate={canTranslate ? translateDialog.open : undefined} />
                    )}
                  </PaneBoundary>
                </div>
              </div>
            </TrackContext>
          </NotesContext>
        </PeopleContext>
      </SpeakersContext>
      <EditorFoot hasBars={hasBars} hidesWave={hidesWave} zoom={zoom} />
      <EditorDialogs
        exporting={exporting && exportDialog.close}
        sharing={sharing && shareDialog.close}
        keys={keysShown}
        onKeysClose={keysDialog.close}
      />
      <OfflineAnswers slug={file.slug} language={language} />
    </div>
  );
}
