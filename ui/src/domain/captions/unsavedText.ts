/** Texts that somebody wrote and that could not be saved, as a file to take elsewhere. */
import { t } from "../../platform/messages/processing";
import { copyText } from "../../platform/page/copyText";
import type { Command } from "./model/commands";
import type { Line } from "./types";
import { stamp } from "./times";

/** A written text; the time is unknown when its line is. */
export interface Written {
  line: string;
  start_ms: number | undefined;
  text: string;
}

/** What commands wrote, the last text of each line, in order of time. `lines` are those that the browser knows. */
export function writtenIn(
  commands: readonly Command[],
  lines: readonly Pick<Line, "id" | "start_ms">[],
): Written[] {
  const starts = new Map(lines.map(({ id, start_ms }) => [id, start_ms]));
  const texts = new Map<string, Written>();
  const write = (line: string, text: string | null | undefined, start?: number | null) => {
    if (text == null || text === "") return;
    texts.set(line, { line, start_ms: start ?? starts.get(line), text });
  };
  for (const command of commands) {
    if (command.action === "Edit") write(command.line, command.content, command.start);
    else if (command.action === "Add") write(command.newLine, command.content, command.start);
    else if (command.action === "Split") write(command.line, command.content);
    else if (command.action === "Change") {
      for (const change of command.changes ?? []) write(change.line, change.content, change.start);
      for (const added of command.added ?? []) write(added.new_line, added.content, added.start);
    }
  }
  return [...texts.values()].sort((a, b) => (a.start_ms ?? Infinity) - (b.start_ms ?? Infinity));
}

export const textFile = (written: readonly Written[]): string =>
  written
    .map(({ start_ms, text }) => (start_ms === undefined ? text : `${stamp(start_ms)}\n${text}`))
    .join("\n\n") + "\n";

/** Copy them to the clipboard. False where the browser does not let the page. */
export const copyUnsaved = (written: readonly Written[]): Promise<boolean> =>
  copyText(textFile(written));

/** Let the person save them as a text file. */
export function saveUnsaved(name: string, written: readonly Written[]): void {
  const url = URL.createObjectURL(new Blob([textFile(written)], { type: "text/plain" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = `${name} – ${t("offline.fileName")}.txt`;
  link.click();
  URL.revokeObjectURL(url);
}
