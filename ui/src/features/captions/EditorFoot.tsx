import { useComputedColorScheme } from "@mantine/core";
import { Suspense } from "react";
import { PaneBoundary } from "../../platform/failure/PaneBoundary";
import { part } from "../../platform/failure/Later";
import { t as l } from "../../platform/messages/editor";
import { useEditor } from "../editor/context";
import { Transport } from "./player/Transport";
import type { ZoomLevel } from "./wave/zoomLevel";
import styles from "./editor.module.css";

// It would keep the lines waiting.
const Waveform = part(() => import("./wave/Waveform"));

interface Props {
  /** Whether the bars are drawn, which come after the lines. */
  hasBars: boolean;
  hidesWave: boolean;
  zoom: ZoomLevel;
}

/** Playback and the waveform, below everything else. */
export function EditorFoot({ hasBars, hidesWave, zoom }: Props) {
  const { file } = useEditor();
  const scheme = useComputedColorScheme("light");
  return (
    <div className={styles.editorFoot}>
      <PaneBoundary name={l("panes.transport")} at={file.slug}>
        <div className={styles.transportRoom}>
          {hasBars && <Transport zoom={hidesWave ? null : zoom} />}
        </div>
      </PaneBoundary>
      {!hidesWave && (
        <PaneBoundary name={l("panes.waveform")} at={file.slug}>
          <Suspense fallback={<div className={styles.waveRoom} />}>
            <Waveform level={zoom} scheme={scheme} />
          </Suspense>
        </PaneBoundary>
      )}
    </div>
  );
}
