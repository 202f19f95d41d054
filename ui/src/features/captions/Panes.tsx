import { useRef, type KeyboardEvent, type PointerEvent, type ReactNode } from "react";
import { useLocalStorage } from "@mantine/hooks";
import styles from "./editor.module.css";

const SMALLEST = 28;
const LARGEST = 68;
const STEP = 2;

const clamp = (share: number): number => Math.min(LARGEST, Math.max(SMALLEST, share));

/** Two panes with a border that can be dragged or moved with the arrow keys. Its position is remembered. */
export function Panes({ left, right }: { left: ReactNode; right: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  const [share, setShare] = useLocalStorage({ key: "sagascript.panes", defaultValue: 46 });

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
      style={{ "--share": `${share}%` } as React.CSSProperties}
    >
      {left}
      <div
        className={styles.panesBorder}
        role="separator"
        aria-orientation="vertical"
        aria-label="Resize the video"
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
