import { expect, test } from "vitest";
import { byLength } from "./byLength";

test("only recordings that are known to be too long stay here", async () => {
  const files = ["short", "long", "unknown"].map((name) => new File([], name));
  const lengths: Record<string, number | undefined> = { short: 14_400, long: 14_400.5 };
  const lengthOf = (data: Blob) => Promise.resolve(lengths[(data as File).name]);
  const [sent, refused] = await byLength(files, 14_400_000, lengthOf);
  expect(sent.map(({ name }) => name)).toEqual(["short", "unknown"]);
  expect(refused.map(({ name }) => name)).toEqual(["long"]);
});
