/** The SWR keys of all server state, in one place, so that an event can name what it makes stale. */
const FILE_LISTS = "files?";

export const keys = {
  user: "user",
  config: "config",
  models: "models",
  improvable: "improvable",
  /** Stands for every list of files, whichever page, order and filter it has; see `staleBy`. */
  files: FILE_LISTS,
  fileList: (call: string) => `${FILE_LISTS}${call}`,
  uploads: "uploads",
  file: (slug: string) => `file/${slug}`,
  jobs: (slug: string) => `jobs/${slug}`,
  captions: (slug: string) => `captions/${slug}`,
  exports: (slug: string) => `exports/${slug}`,
  peaks: (slug: string) => `peaks/${slug}`,
};

const isFileList = (held: unknown): boolean =>
  typeof held === "string" && held.startsWith(FILE_LISTS);

/** What SWR's `mutate` takes for one of `keys`: the key, or for lists of files the test that finds all of them. */
export const staleBy = (key: string): string | ((held: unknown) => boolean) =>
  key === keys.files ? isFileList : key;
