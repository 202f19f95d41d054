/// <reference types="vitest/config" />
import react from "@vitejs/plugin-react";
import { defineConfig, loadEnv } from "vite";
import { chunkNames } from "./chunks.ts";
import { compressedAssets } from "./compressedAssets.ts";
import { earlyChunks } from "./earlyChunks.ts";
import { manual } from "./manual/plugin.ts";
import { parsedMessages } from "./parsedMessages.ts";
import { shellWorker } from "./shellWorker.ts";
import { steadyFonts } from "./steadyFonts.ts";

const server = loadEnv("", ".", "SAGASCRIPT_").SAGASCRIPT_PUBLIC_URL ?? "http://127.0.0.1:8080";
const proxied = [
  ...["/api", "/sanctum", "/tus", "/app", "/apps", "/pusher", "/docs"],
  ...["/login", "/register", "/forgot-password", "/reset-password"],
];

/** Tests that replace modules, configure them, or load them more than once, as another browser or language would. */
const LOADED_ANEW = ["src/platform/i18n/*.test.{ts,tsx}", "src/**/*.anew.test.{ts,tsx}"];

// On a busy machine every build would warn of slow plugins.
const checks = { pluginTimings: false };

export default defineConfig(({ isSsrBuild = false }) => ({
  plugins: [
    react(),
    parsedMessages(),
    steadyFonts(),
    earlyChunks(),
    manual(),
    shellWorker(),
    compressedAssets(),
  ],
  // The worker of the caption preview is a module and imports others.
  worker: {
    format: "es",
    // Hunspell's package imports these of Node's modules only in Node.
    rolldownOptions: { checks, external: ["fs/promises", "module"] },
  },
  // Tests and benchmarks run parts of the page in Node, from folders without packages.
  ssr: { noExternal: true },
  css: { modules: { localsConvention: "camelCaseOnly" } },
  // Keys are no names of JavaScript.
  json: { namedExports: false },
  build: {
    target: "es2022",
    manifest: "manifest.json",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: ["index.html", "docs.html", "manual.html"],
      checks,
      // What every page needs compresses better in one file than in thirty.
      output: {
        codeSplitting: {
          groups: [
            {
              name: "base",
              test: /node_modules[\\/](react|react-dom|scheduler|react-router|swr|intl-messageformat|@formatjs|clsx)[\\/]|@mantine[\\/]core[\\/]esm[\\/](core|components[\\/](ActionIcon|Alert|Button|CloseButton|Group|Loader|Paper|Text|Title|Transition|UnstyledButton))[\\/]/,
              priority: 1,
            },
            // Tests in Node build single modules, which load no pages.
            ...(isSsrBuild
              ? []
              : [{ name: chunkNames(import.meta.dirname), includeDependenciesRecursively: false }]),
          ],
        },
      },
    },
    // Swagger UI comes as one file, which only /api/docs loads.
    chunkSizeWarningLimit: 1_800,
  },
  server: {
    proxy: Object.fromEntries(
      proxied.map((path) => [
        path,
        {
          target: server,
          ws: true,
          // Pages and calls share paths: a page is served by Vite, a call goes to the product.
          bypass: (request: { headers: { accept?: string }; url?: string }) =>
            request.headers.accept?.includes("text/html") === true ? "/index.html" : undefined,
        },
      ]),
    ),
  },
  test: {
    environment: "node",
    // A busy machine needs longer than 5 s to import a page's libraries.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    setupFiles: ["src/platform/eventually.testing.ts"],
    // A process for each file took 55 core-seconds more, most of them to start Node and to read the same modules again. A
    // context of its own keeps a file's globals apart as well, but the files share modules and what these remember:
    // `*.anew.test.ts` get processes. ESLint allows `vi.mock` there alone, because elsewhere it may come too late.
    projects: [
      {
        extends: true,
        test: {
          name: "pages",
          pool: "vmThreads",
          include: ["src/**/*.test.{ts,tsx}", "manual/*.test.ts"],
          exclude: LOADED_ANEW,
        },
      },
      { extends: true, test: { name: "anew", include: LOADED_ANEW } },
    ],
    css: { include: [/\.module\.css$/] },
    // Node would get the library's other half, which remembers nothing.
    alias: [
      {
        find: /^tus-js-client$/,
        replacement: `${import.meta.dirname}/node_modules/tus-js-client/lib.esm/browser/index.js`,
      },
    ],
  },
}));
