import type { CSSProperties } from "react";
import styles from "./preview.module.css";

export const SAFE_AREAS = { wide: 16 / 9, tall: 9 / 16, square: 1 } as const;
export type SafeAreaKind = keyof typeof SAFE_AREAS | "none";

/** A frame of another shape over a picture, and in it the part that no player or phone covers. */
export function SafeArea({ kind, ratio }: { kind: SafeAreaKind; ratio: number }) {
  if (kind === "none") return null;
  const shape = SAFE_AREAS[kind];
  const frame = { "--shape": shape, "--share": `${Math.min(1, shape / ratio) * 100}%` };
  return (
    <div className={styles.safeArea} aria-hidden="true" data-testid="safe-area">
      <div className={styles.safeFrame} data-kind={kind} style={frame as CSSProperties} />
    </div>
  );
}
