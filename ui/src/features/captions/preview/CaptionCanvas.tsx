import { useEffect, useRef } from "react";
import type { Editing } from "../../editor/editing";
import type { CaptionStyle } from "../../editor/style/data";
import { Preview, type PreviewState, type Stage } from "./Preview";
import styles from "./preview.module.css";

interface Props {
  editing: Editing;
  style: CaptionStyle;
  stage: Stage;
  onState: (state: PreviewState) => void;
}

/** The captions over the picture, drawn by the library that draws them into exports. */
export default function CaptionCanvas({ editing, style, stage, onState }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const preview = useRef<Preview>(undefined);
  const { width, height, isCard } = stage;

  useEffect(() => {
    // The library takes a canvas over for good, so each preview has its own.
    const canvas = document.createElement("canvas");
    box.current?.append(canvas);
    try {
      preview.current = new Preview(canvas, editing, { width, height, isCard }, onState);
    } catch (error) {
      onState({ kind: "failed", reason: (error as Error).message });
    }
    return () => {
      preview.current?.stop();
      preview.current = undefined;
      canvas.remove();
    };
  }, [editing, width, height, isCard, onState]);

  useEffect(() => {
    preview.current?.setStyle(style);
  }, [style, editing, width, height, isCard]);

  return <div ref={box} className={styles.canvas} aria-hidden="true" data-testid="preview" />;
}
