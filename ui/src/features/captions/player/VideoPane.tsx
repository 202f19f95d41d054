import { Suspense, useState, type CSSProperties, type ReactNode } from "react";
import { t as l } from "../../../platform/messages/editor";
import { t } from "../../../platform/messages/editing";
import { PaneBoundary } from "../../../platform/failure/PaneBoundary";
import type { MediaFile } from "../../../domain/files/data";
import { PlaybackWait } from "../../../domain/files/PlaybackWait";
import { MediaAway } from "../../offline/MediaAway";
import type { Editing } from "../../editor/editing";
import { byLane, laneOf } from "../../../domain/captions/lanes";
import { linesOfText, onScreenText } from "../../../domain/captions/timeline";
import type { Line } from "../../../domain/captions/types";
import type { PreviewState } from "../preview/Preview";
import { SafeArea } from "../preview/SafeArea";
import { useExactPreview, useSafeArea } from "../preview/settings";
import { stageOf } from "../preview/stage";
import { textOf } from "../../../domain/captions/store/state";
import { useFileStyle } from "../../editor/style/data";
import { useView } from "../../editor/useView";
import { usePlayback } from "../../editor/playback/usePlayback";
import { useEditor } from "../../editor/context";
import preview from "../preview/preview.module.css";
import styles from "./player.module.css";
import { part } from "../../../platform/failure/Later";

const CaptionCanvas = part(() => import("../preview/CaptionCanvas"));

/** The video with the current caption over it, as text. A click plays or pauses. */
export function VideoPane() {
  const { file, editing } = useEditor();
  const { playback } = editing;
  const [failed, setFailed] = useState<HTMLMediaElement | null>(null);
  return (
    <div className={styles.stage} data-kind={file.kind}>
      {file.media_url === null ? (
        <PlaybackWait file={file} />
      ) : (
        <Picture file={file}>
          <video
            ref={playback.attach}
            src={file.media_url}
            poster={file.poster_url ?? undefined}
            preload="metadata"
            playsInline
            aria-label={file.name}
            onClick={() => playback.toggle()}
            onError={(event) => setFailed(event.currentTarget)}
            onLoadedMetadata={() => setFailed(null)}
          />
          {failed !== null && <MediaAway media={failed} />}
          <PaneBoundary name={l("panes.preview")} at={file.slug}>
            <Captions file={file} editing={editing} />
          </PaneBoundary>
        </Picture>
      )}
    </div>
  );
}

/** As large as the picture itself, so that captions lie on it and not on the bars beside it. */
function Picture({ file, children }: { file: MediaFile; children: ReactNode }) {
  const { width, height } = stageOf(file);
  return (
    <div className={styles.stagePicture} style={{ "--ratio": width / height } as CSSProperties}>
      {children}
    </div>
  );
}

/** The captions as an export draws them; as text until they are drawn, and where they cannot be. */
function Captions({ file, editing }: { file: MediaFile; editing: Editing }) {
  const { data } = useFileStyle(file.slug);
  const [state, setState] = useState<PreviewState>({ kind: "text" });
  const [exact] = useExactPreview();
  const [safeArea] = useSafeArea();
  const stage = stageOf(file);
  const isDrawn = exact && state.kind === "drawn";
  return (
    <>
      {exact && data !== undefined && (
        <Suspense fallback={null}>
          <CaptionCanvas editing={editing} style={data.style} stage={stage} onState={setState} />
        </Suspense>
      )}
      <CaptionOver editing={editing} isHidden={isDrawn} />
      <SafeArea kind={safeArea} ratio={stage.width / stage.height} />
      {exact && state.kind === "failed" && (
        <p className={preview.note} role="status" data-testid="preview-note">
          {t("style.plainText", { reason: state.reason })}
        </p>
      )}
      {isDrawn && state.missing.length > 0 && (
        <p className={preview.note} role="status" data-testid="preview-note">
          {t("style.missing", { characters: state.missing.slice(0, SHOWN_CHARACTERS).join(" ") })}
        </p>
      )}
    </>
  );
}

const SHOWN_CHARACTERS = 20;

function CaptionOver({ editing, isHidden }: { editing: Editing; isHidden: boolean }) {
  const lines = useView(editing.store, (view) => view.captions.lines);
  const shown = usePlayback(editing.playback, ({ nowMs }) => onScreenText(lines, nowMs));
  return byLane(linesOfText(lines, shown)).map(
    ([line]) => line !== undefined && <CaptionOn key={line.id} {...{ line, editing, isHidden }} />,
  );
}

function CaptionOn(props: { line: Line; editing: Editing; isHidden: boolean }) {
  const { line, editing, isHidden } = props;
  const language = useView(editing.store, (view) => view.captions.language);
  const text = useView(editing.store, (view) => textOf(line, view.typed.get(line.id)));
  return (
    <p
      className={styles.stageCaption}
      aria-hidden="true"
      data-hidden={isHidden || undefined}
      data-lane={laneOf(line.place)}
      data-testid="stage-caption"
    >
      <span dir="auto" lang={language}>
        {text}
      </span>
    </p>
  );
}
