import { readdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Plugin } from "vite";

/** Their content is compressed already. */
const COMPRESSED = /\.(?:br|gz|woff2|png|jpe?g|webp|mp4)$/;
/** Below this, the headers of an answer weigh more than what is saved. */
const SMALLEST_BYTES = 1_000;
/** Brotli's best level needs seconds for a megabyte and gains little there. */
const LARGE_BYTES = 400_000;

const asBrotli = promisify(brotliCompress);
const asGzip = promisify(gzip);

/** Write each asset once more as Brotli and gzip, so that the server only picks a file. */
export function compressedAssets(): Plugin {
  let folder = "";
  return {
    name: "compressed-assets",
    // Code that is built for Node has no assets and no visitors.
    apply: (_config, { command, isSsrBuild }) => command === "build" && isSsrBuild !== true,
    configResolved: ({ root, build }) => {
      folder = resolve(root, build.outDir, build.assetsDir);
    },
    closeBundle: async () => {
      const names = (await readdir(folder)).filter((name) => !COMPRESSED.test(name));
      await Promise.all(names.map((name) => compress(join(folder, name))));
    },
  };
}

async function compress(path: string): Promise<void> {
  const content = await readFile(path);
  if (content.length < SMALLEST_BYTES) return;
  const quality = content.length > LARGE_BYTES ? 6 : 11;
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality };
  const [br, gz] = await Promise.all([
    asBrotli(content, { params }),
    asGzip(content, { level: 9 }),
  ]);
  if (br.length < content.length) await writeFile(`${path}.br`, br);
  if (gz.length < content.length) await writeFile(`${path}.gz`, gz);
}
