/** The SWR keys of all server state in one place, so that an event can name what it invalidates. */
const FILE_LISTS = "files?";

export const keys = {
  user: "user",
  config: "config",
  models: "models",
  improvable: "improvable",
  /** Matches every list of files, whatever its page, order and filter; see `staleBy`. */
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

/** The argument of SWR's `mutate` for one of `keys`: the key itself, or a matcher for all lists of files. */
export const staleBy = (key: string): string | ((held: unknown) => boolean) =>
  key === keys.files ? isFileList : key;
