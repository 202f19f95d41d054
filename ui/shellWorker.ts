import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Plugin, Rolldown } from "vite";

const SOURCE = `${import.meta.dirname}/serviceWorker.js`;

/** What each asset imports at once, as the paths of a page; style sheets and media import nothing. */
function importsIn(bundle: Rolldown.OutputBundle): Record<string, string[]> {
  const assets = Object.values(bundle).filter(({ fileName }) => fileName.startsWith("assets/"));
  return Object.fromEntries(
    assets.map((one) => {
      const imports =
        one.type === "chunk" ? [...one.imports, ...(one.viteMetadata?.importedCss ?? [])] : [];
      return [`/${one.fileName}`, imports.map((name) => `/${name}`)];
    }),
  );
}

/** Write the service worker as `sw.js`. It changes with every build, so that browsers drop what they kept of the last one. */
export function shellWorker(): Plugin {
  return {
    name: "shell-worker",
    apply: "build",
    enforce: "post",
    generateBundle(_options, bundle) {
      const page = bundle["index.html"];
      if (page?.type !== "asset") return;
      const build = createHash("sha256").update(page.source).digest("hex").slice(0, 12);
      const source = readFileSync(SOURCE, "utf8")
        .replaceAll("}BUILD", `}${build}`)
        .replace("-BUILD.json", `-${build}.json`);
      this.emitFile({ type: "asset", fileName: "sw.js", source });
      const imports = JSON.stringify(importsIn(bundle));
      this.emitFile({ type: "asset", fileName: `assets/imports-${build}.json`, source: imports });
    },
  };
}
