import type WaveSurfer from "wavesurfer.js";
import RegionsPlugin, { type Region } from "wavesurfer.js/dist/plugins/regions.esm.js";
import type { Editing } from "../editing";
import { t } from "../../../i18n/en/timing";
import type { LineChange } from "../model/commands";
import { STANDARD_SETTINGS, type EditorSettings } from "../settings/useEditorSettings";
import { startedAt } from "../lines/timeline";
import { textOf } from "../store/state";
import type { Line } from "../types";
import { followPointer, type Board } from "./gestures";
import { lanesOf } from "./lanes";
import { showShots } from "./shots";

export interface Cues {
  setReadOnly: (readOnly: boolean) => void;
  setSettings: (settings: EditorSettings) => void;
  stop: () => void;
}

/** Blocks exist for the lines in view and this many on either side; thousands would slow every frame. */
const AROUND = 12;

/** Keep a block on the waveform for each line in view, and turn moved blocks into new times. */
export function showCues(wave: WaveSurfer, editing: Editing): Cues {
  const { store, playback } = editing;
  const regions = wave.registerPlugin(RegionsPlugin.create());
  const blocks = new Map<string, { region: Region; label: HTMLElement }>();
  let readOnly = store.get().captions.is_live;
  let settings: EditorSettings = STANDARD_SETTINGS;
  /** Times that a drag shows before they are saved, by line. */
  let preview = new Map<string, LineChange>();
  let draft: Region | undefined;
  let waiting = 0;

  const draw = () => {
    waiting = 0;
    if (wave.getDecodedData() == null) return;
    const { captions, typed } = store.get();
    const { selected, many } = editing.getFocus();
    const [from, to] = inView(wave, captions.lines);
    const wanted = new Set<string>();
    const shown = captions.lines.slice(from, to);
    const lanes = lanesOf(shown);
    for (const [index, line] of shown.entries()) {
      wanted.add(line.id);
      const block = place(line, textOf(line, typed.get(line.id)));
      const isChosen = line.id === selected || many.has(line.id);
      const parts = ["region cue"];
      if (isChosen) parts.push("cue-selected");
      if (line.locked) parts.push("cue-locked");
      if (lanes[index] !== "whole") parts.push(`cue-${lanes[index]}`);
      block.region.element?.setAttribute("part", parts.join(" "));
    }
    for (const [id, block] of blocks) {
      if (wanted.has(id) || preview.has(id)) continue;
      block.region.remove();
      blocks.delete(id);
    }
  };

  const place = (line: Line, text: string) => {
    const shown = preview.get(line.id);
    const times = {
      start: (shown?.start ?? line.start_ms) / 1000,
      end: (shown?.end ?? line.end_ms) / 1000,
    };
    const held = blocks.get(line.id);
    if (held === undefined) {
      const region = regions.addRegion({
        id: line.id,
        ...times,
        drag: false,
        resize: false,
        color: "transparent",
      });
      // As `content`, the plugin would lay the page out anew for each block and every other one.
      const label = document.createElement("span");
      label.setAttribute("part", "region-content");
      label.dir = "auto";
      label.textContent = text;
      region.element?.append(label);
      const made = { region, label };
      blocks.set(line.id, made);
      return made;
    }
    const { region, label } = held;
    if (region.start !== times.start || region.end !== times.end) region.setOptions(times);
    if (label.textContent !== text) label.textContent = text;
    return held;
  };

  const soon = () => {
    if (waiting === 0) waiting = requestAnimationFrame(draw);
  };

  regions.on("region-clicked", (region, event) => {
    event.stopPropagation();
    const line = store.get().captions.lines.find((one) => one.id === region.id);
    if (line === undefined) return;
    if (event.shiftKey) {
      editing.selectTo(line.id);
      return;
    }
    if (event.ctrlKey || event.metaKey) {
      editing.toggleChosen(line.id);
      return;
    }
    editing.select(line.id);
    const box = region.element?.getBoundingClientRect();
    const share = box === undefined ? 0 : (event.clientX - box.left) / Math.max(1, box.width);
    playback.seek(line.start_ms + share * (line.end_ms - line.start_ms));
  });
  regions.on("region-double-clicked", (region) => editing.goInto(region.id));

  const board: Board = {
    lineOf: (target) => {
      for (const [id, { region }] of blocks) {
        const { element } = region;
        if (target instanceof Node && element?.contains(target) === true)
          return { id, box: element.getBoundingClientRect() };
      }
      return undefined;
    },
    preview: (changes) => {
      preview = new Map(changes.map((change) => [change.line, change]));
      soon();
    },
    draft: (span) => {
      if (span === undefined) {
        draft?.remove();
        draft = undefined;
        return;
      }
      const times = { start: span.start / 1000, end: span.end / 1000 };
      if (draft === undefined) {
        const label = document.createElement("span");
        label.textContent = t("draft");
        const look = { content: label, color: "transparent", drag: false, resize: false };
        draft = regions.addRegion({ ...times, ...look });
        draft.element?.setAttribute("part", "region cue cue-draft");
      } else draft.setOptions(times);
    },
    settings: () => settings,
    readOnly: () => readOnly,
  };
  const marks = showShots(wave, () => (settings.show_shots ? editing.shots : []));

  const stops = [
    followPointer(wave, editing, board),
    marks.stop,
    wave.on("scroll", marks.draw),
    wave.on("zoom", marks.draw),
    wave.on("ready", marks.draw),
    store.subscribe(soon),
    editing.subscribe(soon),
    editing.subscribe(marks.draw),
    wave.on("scroll", soon),
    wave.on("zoom", soon),
    wave.on("ready", soon),
    wave.on("redraw", soon),
  ];
  soon();
  return {
    setReadOnly: (next) => {
      readOnly = next;
    },
    setSettings: (next) => {
      settings = next;
      marks.draw();
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
