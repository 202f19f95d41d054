import { useRef, type ReactNode } from "react";
import { useLocalStorage } from "@mantine/hooks";
import { t } from "../../platform/messages/editor";
import { Separator } from "./panels/Separator";
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

  const drag = (clientX: number) => {
    if (box.current === null) return;
    const { left: from, width } = box.current.getBoundingClientRect();
    setShare(clamp(((clientX - from) / width) * 100));
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
      <Separator
        label={t("resizeVideo")}
        className={styles.panesBorder}
        at={share}
        least={SMALLEST}
        most={LARGEST}
        onDrag={drag}
        onStep={(by) => setShare(clamp(share + by * STEP))}
      />
      {right}
    </div>
  );
}
