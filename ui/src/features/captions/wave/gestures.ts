/** Pointer gestures on the waveform: drag an edge, a block or the selected blocks, and draw a new line on free time. */
import type WaveSurfer from "wavesurfer.js";
import { t } from "../../../platform/messages/editing";
import type { Editing } from "../../editor/editing";
import { inLane } from "../../../domain/captions/lanes";
import type { LineChange } from "../../../domain/captions/model/commands";
import type { EditorSettings } from "../../editor/useEditorSettings";
import { dragChanges, freeSpan, SNAP_MS, SNAP_PX, type Grip } from "../timing/drag";
import type { Ids } from "../timing/times";

/** A press that moves less is a click. */
const STARTS_PX = 4;
/** Handles are this wide where the block has room for two of them and as much between. */
const HANDLE_PX = 24;
/** So near the edge of the box, a drag scrolls. */
const SCROLLS_PX = 36;
const SCROLL_STEP_PX = 14;

export interface Board {
  /** The line whose block is under the target of an event. */
  lineOf: (target: EventTarget | null) => { id: string; box: DOMRect } | undefined;
  /** Show blocks at other times; an empty list shows the saved ones. */
  preview: (changes: readonly LineChange[]) => void;
  draft: (span: { start: number; end: number } | undefined) => void;
  settings: () => Pick<EditorSettings, "snap" | "cascade" | "show_shots">;
  readOnly: () => boolean;
}

/** Which part of a block is held at `x` pixels from its left edge. */
export function gripAt(x: number, width: number): Grip {
  const handle = Math.min(HANDLE_PX, width / 3);
  return x < handle ? "start" : x > width - handle ? "end" : "body";
}

interface Held {
  id: string | undefined;
  grip: Grip;
  ids: Ids;
  fromX: number;
  fromScroll: number;
  atMs: number;
  moved: boolean;
  event: PointerEvent;
}

export function followPointer(wave: WaveSurfer, editing: Editing, board: Board): () => void {
  const wrapper = wave.getWrapper();
  const scroller = wrapper.parentElement ?? wrapper;
  let held: Held | undefined;
  let changes: LineChange[] = [];
  let span: { start: number; end: number } | undefined;
  let frame = 0;
  let swallow = false;

  const msPerPx = () => (wave.getDuration() * 1000) / Math.max(1, wrapper.scrollWidth);
  const timeAt = (x: number) =>
    (x - scroller.getBoundingClientRect().left + wave.getScroll()) * msPerPx();

  const targets = (ids: Ids): number[] => {
    const { snap, show_shots } = board.settings();
    if (!snap) return [];
    const edges = editing
      .lines()
      .filter(({ id }) => !ids.has(id))
      .flatMap(({ start_ms, end_ms }) => [start_ms, end_ms]);
    return [...edges, ...(show_shots ? editing.shots : []), editing.playback.shownMs];
  };

  const look = () => {
    if (held === undefined) return;
    const { id, grip, ids, fromX, fromScroll, atMs, event } = held;
    const px = event.clientX - fromX + wave.getScroll() - fromScroll;
    const tolerance = Math.max(SNAP_MS, SNAP_PX * msPerPx());
    const lines = editing.lines();
    if (id === undefined) {
      span = freeSpan(inLane(lines, "bottom"), atMs, atMs + px * msPerPx());
      board.draft(span);
      return;
    }
    changes = dragChanges(lines, id, grip, px * msPerPx(), ids, {
      targets: event.shiftKey ? [] : targets(ids),
      tolerance,
      cascade: board.settings().cascade,
      frames: editing.playback.frames,
      roll: event.altKey && grip !== "body",
    });
    board.preview(changes);
  };

  /** Scroll while the pointer is held at an edge of the box. */
  const scroll = () => {
    if (held === undefined) return;
    const box = scroller.getBoundingClientRect();
    const { clientX } = held.event;
    const side = clientX > box.right - SCROLLS_PX ? 1 : clientX < box.left + SCROLLS_PX ? -1 : 0;
    if (side !== 0) {
      wave.setScroll(Math.max(0, wave.getScroll() + side * SCROLL_STEP_PX));
      look();
    }
    frame = requestAnimationFrame(scroll);
  };

  const drop = () => {
    cancelAnimationFrame(frame);
    held = undefined;
    changes = [];
    board.preview([]);
  };

  const down = (event: PointerEvent) => {
    swallow = false;
    if (event.button !== 0 || board.readOnly() || held !== undefined) return;
    const block = board.lineOf(event.target);
    // A finger on free time scrolls.
    if (block === undefined && event.pointerType === "touch") return;
    forget();
    const many = editing.getFocus().many;
    held = {
      id: block?.id,
      grip: block === undefined ? "end" : gripAt(event.clientX - block.box.left, block.box.width),
      ids: block === undefined || !many.has(block.id) ? new Set([block?.id ?? ""]) : many,
      fromX: event.clientX,
      fromScroll: wave.getScroll(),
      atMs: timeAt(event.clientX),
      moved: false,
      event,
    };
  };
  const move = (event: PointerEvent) => {
    if (held === undefined) {
      const block = board.lineOf(event.target);
      const grip = block && gripAt(event.clientX - block.box.left, block.box.width);
      wrapper.style.cursor =
        board.readOnly() || grip === undefined ? "" : grip === "body" ? "grab" : "ew-resize";
      return;
    }
    held.event = event;
    if (!held.moved && Math.abs(event.clientX - held.fromX) >= STARTS_PX) {
      held.moved = true;
      wrapper.setPointerCapture(event.pointerId);
      frame = requestAnimationFrame(scroll);
    }
    if (held.moved) look();
  };
  const up = () => {
    if (held === undefined) return;
    const { id, moved } = held;
    const wanted = changes;
    swallow = moved;
    drop();
    if (!moved) return;
    if (id === undefined) {
      if (span !== undefined) window.addEventListener("keydown", decide, true);
      return;
    }
    editing.select(id);
    const label =
      wanted.length === 2 && wanted.every((one) => one.start === undefined || one.end === undefined)
        ? t("timing.rollEdge")
        : t("timing.dragLines", { count: wanted.length });
    if (wanted.length > 0) editing.change(label, { changes: wanted });
  };

  /** Enter keeps a drawn line, Escape drops it. */
  const decide = (event: KeyboardEvent) => {
    if (event.key !== "Enter" && event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    const kept = span;
    forget();
    if (event.key === "Enter" && kept !== undefined) editing.addAt(kept.start, kept.end);
  };
  const forget = () => {
    window.removeEventListener("keydown", decide, true);
    span = undefined;
    board.draft(undefined);
  };
  const cancel = (event: KeyboardEvent) => {
    if (held === undefined || event.key !== "Escape") return;
    event.stopPropagation();
    swallow = held.moved;
    if (held.id === undefined) forget();
    drop();
  };
  // The click that ends a drag neither seeks nor selects.
  const click = (event: MouseEvent) => {
    if (!swallow) return;
    swallow = false;
    event.stopPropagation();
  };

  wrapper.addEventListener("pointerdown", down);
  wrapper.addEventListener("pointermove", move);
  wrapper.addEventListener("pointerup", up);
  wrapper.addEventListener("pointercancel", drop);
  scroller.addEventListener("click", click, true);
  window.addEventListener("keydown", cancel, true);
  return () => {
    drop();
    forget();
    wrapper.removeEventListener("pointerdown", down);
    wrapper.removeEventListener("pointermove", move);
    wrapper.removeEventListener("pointerup", up);
    wrapper.removeEventListener("pointercancel", drop);
    scroller.removeEventListener("click", click, true);
    window.removeEventListener("keydown", cancel, true);
  };
}
