import type { KeyboardEvent, PointerEvent } from "react";
import { t } from "../../../platform/messages/editor";
import { NARROWEST, WIDEST } from "./usePanelWidth";
import styles from "./panels.module.css";

const STEP = 16;

interface Props {
  width: number;
  onWidth: (width: number) => void;
}

/** The left border of a panel, which can be dragged or moved with the arrow keys. */
export function PanelBorder({ width, onWidth }: Props) {
  const drag = ({ currentTarget, pointerId, clientX }: PointerEvent<HTMLDivElement>) => {
    const panel = currentTarget.parentElement;
    if (panel === null || !currentTarget.hasPointerCapture(pointerId)) return;
    onWidth(panel.getBoundingClientRect().right - clientX);
  };
  const keys = (event: KeyboardEvent) => {
    const change = { ArrowLeft: STEP, ArrowRight: -STEP }[event.key];
    if (change === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    onWidth(width + change);
  };
  return (
    <div
      className={styles.border}
      role="separator"
      aria-orientation="vertical"
      aria-label={t("places.resize")}
      aria-valuemin={NARROWEST}
      aria-valuemax={WIDEST}
      aria-valuenow={width}
      tabIndex={0}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onKeyDown={keys}
    />
  );
}
