import { expect, it } from "vitest";
import { contrast, contrastProblem } from "./contrast";
import type { CaptionStyle } from "../../editor/style/data";

const style = {
  box: "none",
  outline: 3,
  colour: "#ffffff",
  outline_colour: "#000000",
  box_colour: "#000000",
  box_opacity: 1,
  karaoke: "none",
  karaoke_colour: "#777777",
  speaker_colours: {},
} as CaptionStyle;

it("has the ratios of the guidelines", () => {
  expect(contrast("#ffffff", "#000000")).toBeCloseTo(21);
  expect(contrast("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
  expect(contrast("#336699", "#336699")).toBe(1);
});

it("names what the text does not stand out from", () => {
  expect(contrastProblem(style)).toBeNull();
  expect(contrastProblem({ ...style, outline_colour: "#eeeeee" })).toContain("outline");
  expect(contrastProblem({ ...style, box: "block", box_colour: "#dddddd" })).toContain("box");
  expect(contrastProblem({ ...style, outline: 0 })).toContain("neither");
  expect(contrastProblem({ ...style, box: "rows", box_opacity: 0.2 })).toContain("opaque");
  const speakers = { ...style, speaker_colours: { S1: "#111111" } };
  expect(contrastProblem(speakers)).toContain("1.1 to 1");
  expect(contrastProblem({ ...style, karaoke: "fill", outline_colour: "#555555" })).not.toBeNull();
});
