import type { Catalogue } from "../loaded";

const files: Record<string, Catalogue> = import.meta.glob(["./*.ts", "!./index.ts"], {
  eager: true,
  import: "default",
});

/** Every Icelandic catalogue by the name of its feature. */
export const catalogues: Readonly<Record<string, Catalogue>> = Object.fromEntries(
  Object.entries(files).map(([path, catalogue]) => [path.slice(2, -3), catalogue]),
);
