import { existsSync } from "node:fs";
import { posix } from "node:path";

/** A page of the manual: a Markdown file of the repository and its place under /docs. */
export interface ManualDocument {
  /** Path in the repository. */
  file: string;
  /** Address below /docs; empty for the first page. */
  name: string;
  /** In the list of pages. */
  title: string;
}

const named = (file: string, name: string, title: string): ManualDocument => ({
  file,
  name,
  title,
});

/** All pages by group, in reading order. */
export const GROUPS: Record<string, ManualDocument[]> = {
  "Start here": [
    named("README.md", "", "Sagascript"),
    named("docs/subtitling.md", "subtitling", "A subtitler's day"),
    named("docs/models.md", "models", "Models"),
    named("docs/programs.md", "programs", "Programs and APIs"),
    named("docs/limits.md", "limits", "Known limits"),
  ],
  Operate: [
    named("docs/production.md", "production", "In production"),
    named("docs/sign-in.md", "sign-in", "Sign-in"),
    named("docs/settings.md", "settings", "Settings"),
    named("SECURITY.md", "security", "Security"),
    named("docs/asvs.md", "asvs", "Security standard"),
    named("docs/data.md", "data", "Data and caches"),
    named("docs/measuring.md", "measuring", "Measuring"),
    named("docs/figures.md", "figures", "Figures"),
  ],
  Develop: [
    named("ARCHITECTURE.md", "architecture", "Architecture"),
    named("docs/parts.md", "parts", "Parts"),
    named("docs/decisions.md", "decisions", "Decisions"),
    named("CONTRIBUTING.md", "contributing", "Contributing"),
    named("CHANGELOG.md", "changelog", "Changes"),
  ],
};

export const DOCUMENTS = Object.values(GROUPS).flat();

export const addressOf = ({ name }: ManualDocument): string =>
  name === "" ? "/docs" : `/docs/${name}`;

/** Where a link in `from` leads, or null where it names a file that the manual does not have. */
export function resolveLink(from: ManualDocument, href: string, root: string): string | null {
  if (/^(https?:|mailto:|\/)/.test(href)) return href;
  const [path = "", anchor] = href.split("#");
  const hash = anchor === undefined ? "" : `#${anchor}`;
  if (path === "") return hash;
  const file = posix.normalize(posix.join(posix.dirname(from.file), path));
  const target = DOCUMENTS.find((document) => document.file === file);
  if (target !== undefined) return addressOf(target) + hash;
  if (!existsSync(`${root}/${file}`))
    throw new Error(`${from.file} links to ${href}, which does not exist.`);
  return null;
}
