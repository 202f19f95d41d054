/** What the panel says about a text, in words. */
import { day, timeLeft } from "../files/format";
import type { AiText, Block, Version } from "./data";

export const nameOf = (text: Pick<AiText, "label" | "language_label">): string =>
  `${text.label}, ${text.language_label}`;

/** A few words for the tab of a text; empty when it is ready and up to date. */
export function tabState(text: AiText): string {
  switch (text.state) {
    case "waiting":
      return "queued";
    case "running":
      return `${text.progress}%`;
    case "failed":
      return "failed";
    case "cancelled":
      return "cancelled";
    case "ready":
      return text.is_stale ? "out of date" : "";
  }
}

/** What an unfinished text waits for. */
export function waitingWords(text: AiText): string {
  const left = text.eta_s === null ? "" : `, ${timeLeft(text.eta_s)}`;
  if (text.state === "running") {
    return text.stalled_s === null ? `Writing: ${text.progress}%${left}` : "Waiting for the model";
  }
  if (text.retry_at !== null) return "Interrupted. It continues by itself.";
  if (text.queue_place === null) return "In the queue";
  return text.queue_place === 1
    ? `Next in the queue${left}`
    : `Number ${text.queue_place} in the queue${left}`;
}

/** Who made the text and when. */
export function madeWords(text: AiText): string {
  const made = [
    text.engine === null ? "" : `Model: ${text.engine}`,
    text.is_edited ? "Edited" : "",
    day(text.updated_at),
  ];
  return made.filter((part) => part !== "").join(" · ");
}

export const percentOf = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.round((part / whole) * 100);

/** How many minutes with speech the text cites at least once. */
export function coverageWords({ coverage }: Pick<AiText, "coverage">): string {
  const spoken = coverage.speech_ms.filter((ms) => ms > 0).length;
  const cited = coverage.cited_ms.filter((ms) => ms > 0).length;
  return `The text cites ${cited} of ${spoken} ${spoken === 1 ? "minute" : "minutes"} with speech`;
}

export function staleWords(blocks: readonly Block[]): string {
  const count = blocks.filter(({ stale }) => stale).length;
  const parts = count === 1 ? "One part of this text cites" : `${count} parts of this text cite`;
  return `${parts} captions that have changed since it was written.`;
}

const KINDS: Record<Version["kind"], string> = {
  written: "Written",
  edited: "Edited",
  restored: "Brought back",
};

export const versionWords = ({ kind, by }: Pick<Version, "kind" | "by">): string =>
  by === null ? KINDS[kind] : `${KINDS[kind]} by ${by}`;
