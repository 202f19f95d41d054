import type { CSSProperties, ReactNode } from "react";
import type { MediaFile } from "../../files/data";
import { PlaybackWait } from "../../files/PlaybackWait";
import type { Editing } from "../editing";
import { onScreenAt } from "../lines/timeline";
import { textOf } from "../store/state";
import { useView } from "../useEditorStore";
import { usePlayback } from "./usePlayback";
import styles from "./player.module.css";

/** The video with the current caption over it, as text. A click plays or pauses. */
export function VideoPane({ file, editing }: { file: MediaFile; editing: Editing }) {
  const { playback } = editing;
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
          />
          <CaptionOver editing={editing} />
        </Picture>
      )}
    </div>
  );
}

const WIDE = 16 / 9;

/** As large as the picture itself, so that captions lie on it and not on the bars beside it. */
function Picture({ file, children }: { file: MediaFile; children: ReactNode }) {
  const { width, height } = file;
  const ratio = width !== null && height !== null && height > 0 ? width / height : WIDE;
  return (
    <div className={styles.stagePicture} style={{ "--ratio": ratio } as CSSProperties}>
      {children}
    </div>
  );
}

function CaptionOver({ editing }: { editing: Editing }) {
  const lines = useView(editing.store, (view) => view.captions.lines);
  const index = usePlayback(editing.playback, ({ nowMs }) => onScreenAt(lines, nowMs));
  const language = useView(editing.store, (view) => view.captions.language);
  const line = lines[index];
  const text = useView(editing.store, (view) =>
    line === undefined ? "" : textOf(line, view.typed.get(line.id)),
  );
  if (line === undefined) return null;
  return (
    <p className={styles.stageCaption} aria-hidden="true" data-testid="stage-caption">
      <span dir="auto" lang={language}>
        {text}
      </span>
    </p>
  );
}
