import type { KeyboardEvent, PointerEvent } from "react";

interface Props {
  label: string;
  className: string | undefined;
  at: number;
  least: number;
  most: number;
  /** The pointer drags the border to this place, in pixels of the window. */
  onDrag: (clientX: number) => void;
  /** An arrow key moves it to the left (-1) or to the right (1). */
  onStep: (by: 1 | -1) => void;
}

/** A border between two parts that can be dragged, or moved with the arrow keys. */
export function Separator({ label, className, at, least, most, onDrag, onStep }: Props) {
  const drag = ({ currentTarget, pointerId, clientX }: PointerEvent<HTMLDivElement>) => {
    if (currentTarget.hasPointerCapture(pointerId)) onDrag(clientX);
  };
  const keys = (event: KeyboardEvent) => {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    event.preventDefault();
    event.stopPropagation();
    onStep(event.key === "ArrowLeft" ? -1 : 1);
  };
  return (
    <div
      className={className}
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuemin={least}
      aria-valuemax={most}
      aria-valuenow={Math.round(at)}
      tabIndex={0}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onKeyDown={keys}
    />
  );
}
