import type WaveSurfer from "wavesurfer.js";
import type { Editing } from "../../editor/editing";
import { t } from "../../../platform/messages/editing";
import type { LineChange } from "../../../domain/captions/model/commands";
import { standardSettings, type EditorSettings } from "../../editor/useEditorSettings";
import { startedAt } from "../../../domain/captions/timeline";
import { textOf } from "../../../domain/captions/store/state";
import type { Line } from "../../../domain/captions/types";
import { Blocks } from "./blocks";
import { onTaps } from "./taps";
import { followPointer, type Board } from "./gestures";
import { drawNever, drawSoon } from "./frame";
import { halvesOf } from "./lanes";
import { shotMarks, showMarks, speechMarks } from "./marks";
import { timeIn, type Sight } from "./sight";

export interface Cues {
  setReadOnly: (readOnly: boolean) => void;
  setSettings: (settings: EditorSettings) => void;
  stop: () => void;
}

/** Blocks exist for the lines in view and this many on either side; thousands would slow every frame. */
const AROUND = 12;
/** The id of the block that a person draws. No line has it. */
const DRAFT = "draft";

/**
 * Keep a block on the waveform for each line in view, and turn moved blocks into new times. `speech` holds starts and
 * ends of speech in turn.
 */
export function showCues(
  wave: WaveSurfer,
  editing: Editing,
  sight: () => Sight,
  speech: readonly number[],
): Cues {
  const { store, playback } = editing;
  const blocks = new Blocks(wave);
  let readOnly = store.get().captions.is_live;
  let settings = standardSettings();
  /** Times that a drag shows before they are saved, by line. */
  let preview = new Map<string, LineChange>();
  let draft: { start: number; end: number } | undefined;
  const voices = speechMarks(speech);
  const drawings = [
    showMarks(wave, "speech", () => (settings.show_speech ? voices : [])),
    showMarks(wave, "shot", () => (settings.show_shots ? shotMarks(editing.shots) : [])),
  ];

  const draw = () => {
    if (wave.getDecodedData() == null) return;
    const seen = sight();
    const { seconds } = seen;
    if (seconds <= 0) return;
    for (const drawMarks of drawings) drawMarks(seen);
    const { captions, typed } = store.get();
    const { selected, many } = editing.getFocus();
    const wanted = new Set<string>();
    const shown = around(seen, captions.lines);
    const halves = halvesOf(shown);
    for (const [index, line] of shown.entries()) {
      wanted.add(line.id);
      const moved = preview.get(line.id);
      const isChosen = line.id === selected || many.has(line.id);
      const parts = ["region cue"];
      if (isChosen) parts.push("cue-selected");
      if (line.locked) parts.push("cue-locked");
      if (halves[index] !== "whole") parts.push(`cue-${halves[index]}`);
      const look = {
        start: moved?.start ?? line.start_ms,
        end: moved?.end ?? line.end_ms,
        text: textOf(line, typed.get(line.id)),
        part: parts.join(" "),
      };
      blocks.show(line.id, look, seconds);
    }
    if (draft !== undefined) {
      const look = { text: t("timing.draft"), part: "region cue cue-draft" };
      blocks.show(DRAFT, { ...draft, ...look }, seconds);
    }
    blocks.keep((id) => wanted.has(id) || preview.has(id) || (id === DRAFT && draft !== undefined));
  };

  const soon = () => drawSoon(draw);

  const click = (event: MouseEvent) => {
    const block = blocks.at(event.target);
    const line = block && editing.find(block.id);
    if (block === undefined || block.id === DRAFT) return;
    event.stopPropagation();
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
    const share = (event.clientX - block.box.left) / Math.max(1, block.box.width);
    playback.seek(line.start_ms + share * (line.end_ms - line.start_ms));
  };
  blocks.sheet.addEventListener("click", click);
  onTaps(blocks.sheet, (target) => {
    const id = blocks.at(target)?.id;
    if (id !== undefined && id !== DRAFT) editing.goInto(id);
  });

  const board: Board = {
    lineOf: (target) => {
      const block = blocks.at(target);
      return block?.id === DRAFT ? undefined : block;
    },
    preview: (changes) => {
      preview = new Map(changes.map((change) => [change.line, change]));
      soon();
    },
    draft: (span) => {
      draft = span;
      soon();
    },
    settings: () => settings,
    readOnly: () => readOnly,
  };

  const stops = [
    followPointer(wave, editing, board),
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
    },
    setSettings: (next) => {
      settings = next;
      soon();
    },
    stop: () => {
      drawNever(draw);
      for (const stop of stops) stop();
    },
  };
}

/** The lines in view and some on either side. */
function around(sight: Sight, lines: Line[]): Line[] {
  const [left, right] = timeIn(sight);
  return lines.slice(
    Math.max(0, startedAt(lines, left) - AROUND),
    startedAt(lines, right) + 1 + AROUND,
  );
}
