/**
 * The SWR keys of all server state in one place, so that an event can name what it invalidates. A key that ends with `?`
 * stands for all keys that begin with it; see `staleBy`.
 */
const FILE = "file?";
const FILE_LISTS = "files?";
const ADMIN = "admin?";
const BIN_LISTS = "bin?";
const LEDGER = "ledger?";
const REVIEWING = "reviewing?";
const PREVIEWS = "preview?";
const SEARCHES = "search?";
const WEBHOOKS = "webhooks?";

export const keys = {
  user: "user",
  devices: "devices",
  providers: "providers",
  identities: "identities",
  secondFactor: "second-factor",
  passkeys: "passkeys",
  apiKeys: "api-keys",
  accountLog: (page: number) => `account-log/${page}`,
  config: "config",
  models: "models",
  model: (task: string) => `models/${task}`,
  improvable: "improvable",
  /** The live recordings that run. */
  live: "live",
  /** Every list of files, whatever its page, order and filter. */
  files: FILE_LISTS,
  fileList: (call: string) => `${FILE_LISTS}${call}`,
  /** Everything on the admin pages. */
  admin: ADMIN,
  adminList: (url: string) => `${ADMIN}${url}`,
  uploads: "uploads",
  tags: "tags",
  /** Every page of the bin. */
  bin: BIN_LISTS,
  binList: (call: string) => `${BIN_LISTS}${call}`,
  /** Every answer of the search over captions. */
  searches: SEARCHES,
  search: (call: string) => `${SEARCHES}${call}`,
  /** Every file by itself. */
  everyFile: FILE,
  file: (slug: string) => `${FILE}${slug}`,
  jobs: (slug: string) => `jobs/${slug}`,
  /** The captions in a language; without one those of the transcription. */
  captions: (slug: string, language?: string) =>
    language === undefined ? `captions/${slug}` : `captions/${slug}?${language}`,
  /** The first lines of the transcription. */
  firstLines: (slug: string) => `first-lines/${slug}`,
  /** The captions in every language but the transcription's. */
  translatedCaptions: (slug: string) => `captions/${slug}?`,
  translations: (slug: string) => `translations/${slug}`,
  /** The versions of the captions in every language. */
  versions: (slug: string) => `versions/${slug}?`,
  versionList: (slug: string, language: string) => `versions/${slug}?${language}`,
  version: (slug: string, language: string, number: number) =>
    `versions/${slug}?${language}/${number}`,
  /** The notes on the captions in every language. */
  notes: (slug: string) => `notes/${slug}?`,
  noteList: (slug: string, language: string) => `notes/${slug}?${language}`,
  rerun: (slug: string) => `rerun/${slug}`,
  /** Languages that captions can be translated into. */
  targets: (from: string) => `targets/${from}`,
  glossary: "glossary",
  /** What findings say, which never changes. */
  qualityRules: "quality-rules",
  qualityProfiles: "quality-profiles",
  /** The profile of captions in a language. */
  profileOf: (slug: string, language: string) => `profile/${slug}?${language}`,
  report: (slug: string, state: string) => `quality/${slug}?${state}`,
  knownWords: "glossary/words",
  suggestions: "glossary/suggestions",
  termUses: "glossary/uses",
  review: (slug: string, language: string) => `review/${slug}/${language}`,
  proofreading: (slug: string, language: string) => `proofreading/${slug}/${language}`,
  /** Everything that shows minutes. */
  ledger: LEDGER,
  ledgerPart: (call: string) => `${LEDGER}${call}`,
  billing: "billing",
  minutesLeft: "ledger-balance",
  /** What any order or change costs. */
  previews: PREVIEWS,
  preview: (tier: string, period: string, coupon = "") => `${PREVIEWS}${tier}/${period}/${coupon}`,
  /** A page of invoices; an empty one stands for all of them. */
  invoices: (page: number | "") => `invoices?${page}`,
  teams: "teams",
  /** A team with its people and, behind the `?`, its account log. */
  team: (id: string) => `team/${id}?`,
  teamVoices: (id: string) => `team/${id}?voices`,
  teamLog: (id: string, page: number) => `team/${id}?log/${page}`,
  /** Everything about webhooks. */
  webhooks: WEBHOOKS,
  webhookEvents: "webhook-events",
  webhookList: (team?: string) => `${WEBHOOKS}${team ?? ""}`,
  deliveries: (id: string, page: number) => `${WEBHOOKS}deliveries/${id}/${page}`,
  aiTexts: (slug: string) => `aitext/${slug}`,
  aiTextOptions: (slug: string) => `aitext-options/${slug}`,
  aiTextHistory: (id: string) => `aitext-history/${id}`,
  exports: (slug: string) => `exports/${slug}`,
  exportOptions: (slug: string) => `export-options/${slug}`,
  captionStyles: "caption-styles",
  fileStyle: (slug: string) => `file-style/${slug}`,
  speakers: (slug: string) => `speakers/${slug}`,
  editorSettings: "editor-settings",
  reviewLinks: (slug: string) => `review-links/${slug}`,
  /** What somebody without an account sees by a link. */
  reviewing: (id: string) => `${REVIEWING}${id}`,
  reviewedCaptions: (id: string, language = "") => `${REVIEWING}${id}/captions/${language}`,
  reviewNotes: (id: string, language = "") => `${REVIEWING}${id}/notes/${language}`,
  shots: (slug: string) => `shots/${slug}`,
  peaks: (slug: string) => `peaks/${slug}`,
};

/** Whether a key holds what an account may see. The rest is the same for everybody, says who is here, or is a link's. */
export const isPersonal = (key: unknown): boolean =>
  key !== keys.user &&
  key !== keys.config &&
  key !== keys.providers &&
  !(typeof key === "string" && key.startsWith(REVIEWING));

/** The argument of SWR's `mutate` for one of `keys`: the key itself, or a matcher for all keys that it stands for. */
export const staleBy = (key: string): string | ((held: unknown) => boolean) =>
  key.endsWith("?") ? (held: unknown) => typeof held === "string" && held.startsWith(key) : key;

const CHANGED_BY_WORK =
  /^(files?\?|(captions|exports|translations|aitext|speakers|jobs)\/|uploads$)/;

/** Whether work in the background changes what this key holds. */
export const isChangedByWork = (held: unknown): boolean =>
  typeof held === "string" && CHANGED_BY_WORK.test(held);
