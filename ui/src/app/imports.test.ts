/** No modules of the pages import each other in a circle, also not through others. `floors.mjs` keeps the folders apart. */
import { expect, it } from "vitest";

const sources = import.meta.glob<string>(["../**/*.{ts,tsx}", "!../**/*.test.{ts,tsx}"], {
  query: "?raw",
  import: "default",
  eager: true,
});
const IMPORTS = /^(?:import|export)\s+(?!type\b)(?:[^;'"]*?\sfrom\s+)?["'](\.[^"']+)["']/gm;

const pathOf = (path: string, from = "/src/app/imports.test.ts"): string =>
  new URL(path, `file://${from}`).pathname;
const modules = new Map(Object.entries(sources).map(([path, text]) => [pathOf(path), text]));

function importsOf(module: string): string[] {
  return [...(modules.get(module) ?? "").matchAll(IMPORTS)].flatMap(([, path = ""]) => {
    const target = pathOf(path, module);
    return ["", ".ts", ".tsx"].map((end) => target + end).filter((name) => modules.has(name));
  });
}

/** The first circle on the way from a module, from one of its modules to itself. */
function circle(module: string, way: string[], done: Set<string>): string[] | undefined {
  if (way.includes(module)) return [...way.slice(way.indexOf(module)), module];
  if (done.has(module)) return undefined;
  for (const imported of importsOf(module)) {
    const found = circle(imported, [...way, module], done);
    if (found !== undefined) return found;
  }
  done.add(module);
  return undefined;
}

it("has no circle of imports", () => {
  const done = new Set<string>();
  const edges = [...modules.keys()].flatMap(importsOf).length;
  expect(edges).toBeGreaterThan(2_000);
  for (const module of modules.keys()) expect(circle(module, [], done)).toBeUndefined();
});
