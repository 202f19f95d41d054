import { expect, it } from "vitest";
import { newLine } from "../../../domain/captions/model/line";
import { nearby } from "./nearby";

const lines = Array.from({ length: 40 }, (_, at) =>
  newLine(`l${at}`, at * 1_000, at * 1_000 + 800),
);
const then = (start_ms: number, end_ms: number, later = 0): string[] =>
  nearby(lines, { start_ms, end_ms }, later).flatMap(({ line, isThen }) =>
    isThen ? [line.id] : [],
  );

it.each([
  [5_000, 5_800, 0, ["l5"]],
  [5_500, 7_200, 0, ["l5", "l6", "l7"]],
  [5_800, 6_000, 0, []],
  [5_000, 5_800, 2_000, ["l7"]],
  [90_000, 91_000, 0, []],
])("what is on screen from %d to %d, %d later", (start, end, later, ids) => {
  expect(then(start, end, later)).toEqual(ids);
});

it("shows the lines around it at the times of the film that one works on", () => {
  const shown = nearby(lines, { start_ms: 20_000, end_ms: 20_800 }, 3_000);
  expect(shown.map(({ line }) => line.id)).toEqual(
    Array.from({ length: 17 }, (_, at) => `l${at + 15}`),
  );
  expect(shown[8]).toMatchObject({ at: 20_000, isThen: true });
  expect(nearby([], { start_ms: 0, end_ms: 1 }, 0)).toEqual([]);
});
