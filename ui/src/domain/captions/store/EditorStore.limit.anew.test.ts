import { expect, it } from "vitest";
import type { Schemas } from "../../../platform/api/client";
import { adoptConfig } from "../../../platform/api/publicConfig";
import { EditorStore } from "./EditorStore";
import { line, memory, Table } from "./table.testing";

it("a merge beyond the limit of a line is refused at once, with what was typed before it", async () => {
  adoptConfig({ text_limits: { caption_line: 1_000 } } as Schemas["PublicConfig"]);
  const table = new Table([line("a", 0, "x".repeat(600)), line("b", 2_000, "two")]);
  const problems: string[] = [];
  const store = new EditorStore(
    table.captions(),
    { load: table.load, save: table.save },
    memory(),
    { onProblem: (message) => problems.push(message), onSaved: () => undefined },
  );
  store.write("b", "😀".repeat(400));
  expect(store.run({ action: "Merge", line: "a", with: "b" })).toEqual({ kind: "refused" });
  expect(problems).toEqual(["These two lines together would be longer than 1,000 characters."]);
  await expect(store.settled()).resolves.toBe(true);
  expect(table.texts).toEqual(["x".repeat(600), "😀".repeat(400)]);
  store.write("b", "😀".repeat(399));
  expect(store.run({ action: "Merge", line: "a", with: "b" }).kind).toBe("done");
  await expect(store.settled()).resolves.toBe(true);
  expect([...(table.texts[0] ?? "")].length).toBe(1_000);
});
