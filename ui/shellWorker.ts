import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Plugin } from "vite";

const SOURCE = `${import.meta.dirname}/serviceWorker.js`;

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
      const source = readFileSync(SOURCE, "utf8").replace("${KEPT}BUILD", `\${KEPT}${build}`);
      this.emitFile({ type: "asset", fileName: "sw.js", source });
    },
  };
}
