/** The compiler accepts any name of a CSS module, so this compares what components use with what the modules have. */
import { expect, it } from "vitest";

const modules = import.meta.glob<Record<string, string>>("../../**/*.module.css", {
  import: "default",
  eager: true,
});
const components = import.meta.glob<string>("../../**/*.tsx", {
  query: "?raw",
  import: "default",
  eager: true,
});

const IMPORTS = /^import (\w+) from "(\.[^"]+\.module\.css)";$/gm;

/** The classes that a component uses of each module, by the module's path. */
function usedClasses(path: string, source: string): [string, string[]][] {
  // Names of sentences, such as "uploads.title", are no classes.
  const code = source.replaceAll(/^import .*$/gm, "").replaceAll(/"[^"\n]*"/g, "");
  return [...source.matchAll(IMPORTS)].map(([, name, module]) => [
    new URL(module ?? "", `file:///src/platform/theme/${path}`).pathname,
    [...code.matchAll(new RegExp(`\\b${name}\\.(\\w+)`, "g"))].map(([, used]) => used ?? ""),
  ]);
}

const used = new Map<string, Set<string>>();
for (const [path, source] of Object.entries(components)) {
  for (const [module, names] of usedClasses(path, source)) {
    used.set(module, new Set([...(used.get(module) ?? []), ...names]));
  }
}

const rows = Object.entries(modules).map(([path, classes]): [string, string[], Set<string>] => {
  const { pathname } = new URL(path, "file:///src/platform/theme/");
  return [pathname, Object.keys(classes), used.get(pathname) ?? new Set()];
});

it.each(rows)("%s has every class that components use, and no other", (_file, classes, names) => {
  expect([...names].sort()).toEqual(classes.sort());
});
