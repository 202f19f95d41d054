/** The SWR keys of all server state, in one place, so that an event can name what it makes stale. */
export const keys = {
  user: "user",
  config: "config",
  models: "models",
  improvable: "improvable",
  files: "files",
  uploads: "uploads",
  file: (slug: string) => `file/${slug}`,
  jobs: (slug: string) => `jobs/${slug}`,
  captions: (slug: string) => `captions/${slug}`,
  exports: (slug: string) => `exports/${slug}`,
  peaks: (slug: string) => `peaks/${slug}`,
};
