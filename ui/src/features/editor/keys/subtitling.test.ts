/** The keys that `docs/subtitling.md` names are those of the keymap. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { KEYMAP } from "./keymap";

const ROW = /^\| (\d+) \| [^|]+ \| ([^|]+) \| ([^|]*)\| ([^|]*)\|$/;
const rows = readFileSync(`${import.meta.dirname}/../../../../../docs/subtitling.md`, "utf8")
  .split("\n")
  .flatMap((line) => {
    const [, number, command = "", list = "", typing = ""] = ROW.exec(line) ?? [];
    return number === undefined ? [] : [{ number: Number(number), command, list, typing }];
  });
const keysIn = (cell: string): string[] =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);

it("there are 40 tasks", () => {
  expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 40 }, (_, at) => at + 1));
});

it.each(rows.filter(({ command }) => command !== "Export"))(
  "task $number: $command",
  ({ command, list, typing }) => {
    const binding = KEYMAP.find(({ label }) => label === command);
    expect([binding?.list, binding?.typing]).toEqual([keysIn(list), keysIn(typing)]);
  },
);
