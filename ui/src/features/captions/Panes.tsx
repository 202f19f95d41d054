import { useRef, type KeyboardEvent, type PointerEvent, type ReactNode } from "react";
import { useLocalStorage } from "@mantine/hooks";
import { t } from "../../platform/messages/editor";
import styles from "./editor.module.css";

const SMALLEST = 28;
const LARGEST = 68;
const STEP = 2;

const clamp = (share: number): number => Math.min(LARGEST, Math.max(SMALLEST, share));

interface Props {
  /** The right pane shows two tracks, which need more room. */
  isBeside: boolean;
  /** A tool is open in the right pane. On a phone the video makes room for it. */
  hasTool: boolean;
  left: ReactNode;
  right: ReactNode;
}

/** Two panes with a border that can be dragged or moved with the arrow keys. Its position is remembered. */
export function Panes({ isBeside, hasTool, left, right }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const alone = useLocalStorage({ key: "sagascript.panes", defaultValue: 46 });
  const both = useLocalStorage({ key: "sagascript.panes.beside", defaultValue: 30 });
  const [share, setShare] = isBeside ? both : alone;

  const drag = (event: PointerEvent<HTMLDivElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId) || box.current === null) return;
    const { left: from, width } = box.current.getBoundingClientRect();
    setShare(clamp(((event.clientX - from) / width) * 100));
  };
  const keys = (event: KeyboardEvent) => {
    const change = { ArrowLeft: -STEP, ArrowRight: STEP }[event.key];
    if (change === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    setShare(clamp(share + change));
  };

  return (
    <div
      ref={box}
      className={styles.panes}
      data-beside={isBeside || undefined}
      data-tool={hasTool || undefined}
      style={{ "--share": `${share}%` } as React.CSSProperties}
    >
      {left}
      <div
        className={styles.panesBorder}
        role="separator"
        aria-orientation="vertical"
        aria-label={t("resizeVideo")}
        aria-valuemin={SMALLEST}
        aria-valuemax={LARGEST}
        aria-valuenow={Math.round(share)}
        tabIndex={0}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={drag}
        onKeyDown={keys}
      />
      {right}
    </div>
  );
}
