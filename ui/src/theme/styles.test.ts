/** The compiler accepts any name of a CSS module, so this compares what components use with what the modules have. */
import { expect, it } from "vitest";

const modules = import.meta.glob<Record<string, string>>("../**/*.module.css", {
  import: "default",
  eager: true,
});
const components = import.meta.glob<string>("../**/*.tsx", {
  query: "?raw",
  import: "default",
  eager: true,
});

const usedNames = (source: string) =>
  [...source.matchAll(/\bstyles\.(\w+)/g)].map(([, name]) => name);

const rows = Object.entries(modules).map(([path, classes]): [string, string[], Set<unknown>] => {
  const file = path.split("/").at(-1) ?? "";
  const users = Object.values(components).filter((source) => source.includes(`/${file}"`));
  return [file, Object.keys(classes), new Set(users.flatMap(usedNames))];
});

it.each(rows)("%s has every class that components use, and no other", (_file, classes, used) => {
  expect([...used].sort()).toEqual(classes.sort());
});
