import { expect, test, vi } from "vitest";
import { drawNever, drawSoon } from "./frame";

function frames() {
  const queue: (() => void)[] = [];
  vi.stubGlobal("requestAnimationFrame", (draw: () => void) => queue.push(draw));
  return () => queue.splice(0).forEach((draw) => draw());
}

test("what a drawing calls for is drawn in its own frame, once", () => {
  const next = frames();
  const drawn: string[] = [];
  const ruler = () => drawn.push("ruler");
  const zoom = () => {
    drawn.push("zoom");
    drawSoon(ruler);
    drawSoon(ruler);
  };
  drawSoon(zoom);
  drawSoon(zoom);
  next();
  expect(drawn).toEqual(["zoom", "ruler"]);
  next();
  expect(drawn).toEqual(["zoom", "ruler"]);
});

test("a drawing that is not wanted any more is not drawn", () => {
  const next = frames();
  const draw = vi.fn();
  drawSoon(draw);
  drawNever(draw);
  next();
  expect(draw).not.toHaveBeenCalled();
});

test("a drawing that fails keeps none of the others from being drawn", () => {
  const next = frames();
  const draw = vi.fn();
  drawSoon(() => {
    throw new Error("no canvas");
  });
  drawSoon(draw);
  expect(next).toThrow("no canvas");
  next();
  expect(draw).toHaveBeenCalledOnce();
});
