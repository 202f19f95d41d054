import { describe, expect, it } from "vitest";
import { reportOf } from "./errorReport";

const withStack = (stack: string): Error => {
  const error = new TypeError("x is undefined");
  error.stack = stack;
  return error;
};

describe("reportOf", () => {
  it.each([
    [
      "TypeError: x is undefined\n    at draw (http://h/assets/a.js:1:20)\n    at b (c:1:1)",
      "draw",
    ],
    ["TypeError: x is undefined\n    at http://h/assets/a.js:1:20", ""],
    ["TypeError: x is undefined\n    at async draw (http://h/assets/a.js:1:20)", "draw"],
    ["draw@http://h/assets/a.js:1:20\nb@c:1:1", "draw"],
    ["@http://h/assets/a.js:1:20", ""],
  ])("names function and place of %j", (stack, method) => {
    const report = reportOf(withStack(stack), "/api/files");
    expect(report).toMatchObject({
      class: "/api/files",
      method,
      line: "http://h/assets/a.js:1:20",
    });
    expect(report.error).toMatch(/^TypeError: x is undefined/);
    expect(report.error).toContain("a.js:1:20");
  });

  it("tells the cause", () => {
    const error = new Error("Unable to fetch upload token", { cause: new Error("Offline") });
    expect(reportOf(error, "upload").error).toMatch(/Unable to fetch.*caused by Error: Offline/s);
  });

  it("takes what is thrown and is no error, and bounds its length", () => {
    expect(reportOf("just a text", "x")).toMatchObject({
      error: "just a text",
      method: "",
      line: "",
    });
    expect(reportOf("a".repeat(200_000), "x").error).toHaveLength(100_000);
  });
});
