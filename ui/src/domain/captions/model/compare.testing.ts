/** For `api/tests/captions/edits/test_editor_model.py`: applies commands from standard input, prints what became of them. */
import { readFileSync } from "node:fs";
import { visibleLength } from "../times";
import type { Line } from "../types";
import { apply, type Model } from "./apply";
import type { Command } from "./commands";

interface Case {
  lines: Line[];
  commands: Command[];
}

const results = (JSON.parse(readFileSync(0, "utf8")) as Case[]).map(({ lines, commands }) => {
  let model: Model = { lines, done: null, undone: null, olderDone: false, olderUndone: false };
  return commands.map((command) => {
    const outcome = apply(model, command);
    if (outcome.kind === "done") model = outcome.model;
    const { done, undone } = model;
    const lengths = model.lines.map((line) => visibleLength(line.text));
    const travels = { undo: done !== null, redo: undone !== null };
    return { kind: outcome.kind, lines: model.lines, lengths, ...travels };
  });
});
process.stdout.write(JSON.stringify(results));
