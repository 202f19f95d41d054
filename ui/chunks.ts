import { dirname, resolve } from "node:path";
import { LOADED_TOGETHER } from "./firstPages.ts";

interface Module {
  code: string | null;
  importedIds: readonly string[];
  dynamicImporters: readonly string[];
}
type Find = (id: string) => Module | null;

/** Files that only pass on what others export. Whoever imports one needs just the names that it takes. */
const BARREL = /@mantine[\\/](core|hooks)[\\/]esm[\\/]index\.mjs$/;
const IMPORTS = /import\s*\{([^}]*)\}\s*from\s*["']([^"']+)["']/g;

/** The names that a module imports, each with where from. */
function importsOf({ code }: Module): [name: string, from: string][] {
  return [...(code ?? "").matchAll(IMPORTS)].flatMap(([, names = "", from = ""]) =>
    names
      .split(",")
      .map((name): [string, string] => [name.trim().split(/\s+as\s+/)[0] ?? "", from])
      .filter(([name]) => name !== ""),
  );
}

/** What all of these need is in the start chunk: others load it for nothing, but each page loads fewer files. */
const EVERY_START = ["landing", "signin", "dashboard"];

/** What loads with some modules: what they import, and what that imports. */
function reach(roots: readonly string[], find: Find): Set<string> {
  const seen = new Set<string>();
  const visit = (id: string): void => {
    const module = seen.has(id) ? null : find(id);
    if (module === null) return;
    seen.add(id);
    for (const imported of module.importedIds) {
      const library = BARREL.exec(imported)?.[1];
      if (library === undefined) visit(imported);
      else {
        const taken = importsOf(module).filter(([, from]) => from === `@mantine/${library}`);
        for (const [name] of taken) visit(sourceOf(name, imported, find));
      }
    }
  };
  roots.forEach(visit);
  return seen;
}

/** The file behind a name of a barrel. */
function sourceOf(name: string, barrel: string, find: Find): string {
  const module = find(barrel);
  const from = module && importsOf(module).find(([passed]) => passed === name)?.[1];
  if (from == null) return barrel;
  if (from.startsWith(".")) return resolve(dirname(barrel), from);
  return module?.importedIds.find((id) => id.includes(`/node_modules/${from}/`)) ?? barrel;
}

/**
 * The chunk of a module: one for each set of `LOADED_TOGETHER` that reaches it, so that the editor is 20 files and not
 * 150. Null for what none of them loads at once, and for what is a chunk by itself. A chunk imports only chunks of
 * larger sets, so no two import each other.
 */
export function chunkNames(root: string) {
  let owners: Map<string, string[]> | undefined;
  const start = resolve(root, "src/app/main.tsx");

  function ownersOf(find: Find): Map<string, string[]> {
    const found = new Map<string, string[]>();
    for (const [name, paths] of Object.entries(LOADED_TOGETHER)) {
      const roots = paths.map((path) => resolve(root, path));
      const missing = roots.find((id) => find(id) === null);
      if (missing !== undefined) throw new Error(`firstPages.ts names ${missing}, no module.`);
      for (const id of reach(roots, find)) found.set(id, [...(found.get(id) ?? []), name]);
    }
    return found;
  }

  return (id: string, graph: { getModuleInfo: Find }) => {
    const find: Find = (one) => graph.getModuleInfo(one);
    owners ??= ownersOf(find);
    const names = owners.get(id);
    const isOwn = id === start || (find(id)?.dynamicImporters.length ?? 0) > 0;
    if (names === undefined || isOwn) return null;
    return EVERY_START.every((page) => names.includes(page)) || names.includes("start")
      ? "start"
      : names.join("-");
  };
}
