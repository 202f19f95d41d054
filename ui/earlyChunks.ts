import { createHash } from "node:crypto";
import type { Plugin, Rollup } from "vite";
import { FIRST_PAGES } from "./firstPages.ts";

/**
 * A script that the page loads beside its own: it knows by the address which chunks the first page needs, and loads them
 * while the start chunk still loads. Without it the browser learns their names only when that has run.
 */
export function earlyChunks(): Plugin {
  return {
    name: "early-chunks",
    apply: "build",
    enforce: "post",
    generateBundle(_options, bundle) {
      const page = bundle["index.html"];
      if (page?.type !== "asset") return;
      const script = scriptOf(Object.values(bundle).filter((one) => one.type === "chunk"));
      const hash = createHash("sha256").update(script).digest("base64url").slice(0, 8);
      const fileName = `assets/early-${hash}.js`;
      this.emitFile({ type: "asset", fileName, source: script });
      page.source = String(page.source).replace(
        /(<script src="\/scheme\.js"><\/script>)/,
        `$1\n    <script async src="/${fileName}"></script>`,
      );
    },
  };
}

function scriptOf(chunks: Rollup.OutputChunk[]): string {
  const byFile = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const chunkOf = (module: string) =>
    chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/${module}`));
  const filesOf = (modules: readonly string[]): string[] => {
    const files = new Set<string>();
    const visit = (file: string): void => {
      if (files.has(file)) return;
      files.add(file);
      byFile.get(file)?.imports.forEach(visit);
    };
    for (const module of modules) {
      const chunk = chunkOf(module);
      if (chunk === undefined) throw new Error(`The build has no chunk for ${module}.`);
      visit(chunk.fileName);
    }
    return [...files];
  };
  const known = filesOf(["index.html"]);
  const names: string[] = [];
  const numberOf = (file: string) => {
    if (!names.includes(file)) names.push(file);
    return names.indexOf(file);
  };
  const pages = FIRST_PAGES.map(({ at, isSignedIn, modules }) => [
    at,
    isSignedIn ? 1 : 0,
    filesOf(modules)
      .filter((file) => !known.includes(file))
      .map(numberOf),
  ]);
  return `(${load.toString()})(${JSON.stringify(pages)}, ${JSON.stringify(names)});\n`;
}

/** Runs in the page: add a link for each file of the first entry that matches the address. */
function load(pages: [string, number, number[]][], names: string[]): void {
  const isSignedIn = /(^|; )auth=[^;]*true/.test(document.cookie) ? 1 : 0;
  const page = pages.find(
    ([at, who]) => who === isSignedIn && new RegExp(at).test(location.pathname),
  );
  for (const number of page?.[2] ?? []) {
    const link = document.createElement("link");
    link.rel = "modulepreload";
    link.crossOrigin = "";
    link.href = `/${names[number]}`;
    document.head.append(link);
  }
}
