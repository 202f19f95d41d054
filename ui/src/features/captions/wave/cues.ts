import type WaveSurfer from "wavesurfer.js";
import RegionsPlugin, { type Region } from "wavesurfer.js/dist/plugins/regions.esm.js";
import type { Editing } from "../editing";
import { startedAt } from "../lines/timeline";
import { textOf } from "../store/state";
import type { Line } from "../types";

export interface Cues {
  setReadOnly: (readOnly: boolean) => void;
  stop: () => void;
}

/** Blocks exist for the lines in view and this many on either side; thousands would slow every frame. */
const AROUND = 12;
const SHORTEST_S = 0.2;

/** Keep a block on the waveform for each line in view, and turn moved blocks into new times. */
export function showCues(wave: WaveSurfer, editing: Editing): Cues {
  const { store, playback } = editing;
  const regions = wave.registerPlugin(RegionsPlugin.create());
  const blocks = new Map<string, { region: Region; line: Line; label: HTMLElement }>();
  let readOnly = store.get().captions.is_live;
  let dragged: string | undefined;
  let waiting = 0;

  const draw = () => {
    waiting = 0;
    if (wave.getDecodedData() == null) return;
    const { captions, typed } = store.get();
    const { selected } = editing.getFocus();
    const [from, to] = inView(wave, captions.lines);
    const wanted = new Set<string>();
    for (const line of captions.lines.slice(from, to)) {
      wanted.add(line.id);
      place(line, textOf(line, typed.get(line.id)), line.id === selected);
    }
    for (const [id, block] of blocks) {
      if (wanted.has(id) || id === dragged) continue;
      block.region.remove();
      blocks.delete(id);
    }
  };

  const place = (line: Line, text: string, selected: boolean) => {
    const times = { start: line.start_ms / 1000, end: line.end_ms / 1000 };
    const held = blocks.get(line.id);
    if (held === undefined) {
      const label = document.createElement("span");
      label.dir = "auto";
      label.textContent = text;
      const able = { drag: !readOnly, resize: !readOnly };
      const region = regions.addRegion({
        id: line.id,
        ...times,
        ...able,
        content: label,
        color: "transparent",
        minLength: SHORTEST_S,
      });
      blocks.set(line.id, { region, line, label });
    } else if (line.id !== dragged) {
      const { region, line: old, label } = held;
      if (old.start_ms !== line.start_ms || old.end_ms !== line.end_ms) region.setOptions(times);
      if (label.textContent !== text) label.textContent = text;
      held.line = line;
    }
    const part = selected ? "region cue cue-selected" : "region cue";
    blocks.get(line.id)?.region.element?.setAttribute("part", part);
  };

  const soon = () => {
    if (waiting === 0) waiting = requestAnimationFrame(draw);
  };

  regions.on("region-update", (region) => {
    dragged = region.id;
  });
  regions.on("region-updated", (region) => {
    dragged = undefined;
    const { captions } = store.get();
    const index = captions.lines.findIndex((line) => line.id === region.id);
    if (index < 0) return;
    const free = between(captions.lines, index, region.start * 1000, region.end * 1000);
    editing.select(region.id);
    store.retime(region.id, free);
    store.flush();
    soon();
  });
  regions.on("region-clicked", (region, event) => {
    event.stopPropagation();
    const line = store.get().captions.lines.find((one) => one.id === region.id);
    if (line === undefined) return;
    editing.select(line.id);
    const box = region.element?.getBoundingClientRect();
    const share = box === undefined ? 0 : (event.clientX - box.left) / Math.max(1, box.width);
    playback.seek(line.start_ms + share * (line.end_ms - line.start_ms));
  });
  regions.on("region-double-clicked", (region) => editing.goInto(region.id));

  const stops = [
    store.subscribe(soon),
    editing.subscribe(soon),
    wave.on("scroll", soon),
    wave.on("zoom", soon),
    wave.on("ready", soon),
    wave.on("redraw", soon),
  ];
  soon();
  return {
    setReadOnly: (next) => {
      readOnly = next;
      for (const { region } of blocks.values()) region.setOptions({ drag: !next, resize: !next });
    },
    stop: () => {
      cancelAnimationFrame(waiting);
      for (const stop of stops) stop();
    },
  };
}

/** The lines in view, as a range of indexes. */
function inView(wave: WaveSurfer, lines: Line[]): [number, number] {
  const perPixel = wave.getDuration() / Math.max(1, wave.getWrapper().scrollWidth);
  const left = wave.getScroll() * perPixel * 1000;
  const right = (wave.getScroll() + wave.getWidth()) * perPixel * 1000;
  return [
    Math.max(0, startedAt(lines, left) - AROUND),
    Math.min(lines.length, startedAt(lines, right) + 1 + AROUND),
  ];
}

/** A moved block stops at the edges of its neighbours. */
export function between(
  lines: Line[],
  index: number,
  start: number,
  end: number,
): { start_ms: number; end_ms: number } {
  const from = lines[index - 1]?.end_ms ?? 0;
  const to = lines[index + 1]?.start_ms ?? Number.POSITIVE_INFINITY;
  const line = lines[index];
  const moved = line !== undefined && Math.abs(end - start - (line.end_ms - line.start_ms)) < 1;
  const length = end - start;
  if (moved && start < from) return round(from, Math.min(from + length, to));
  if (moved && end > to) return round(Math.max(from, to - length), to);
  return round(Math.max(from, start), Math.min(to, end));
}

const round = (start: number, end: number) => ({
  start_ms: Math.round(start),
  end_ms: Math.round(end),
});
