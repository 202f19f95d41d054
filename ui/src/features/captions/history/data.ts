/** The versions of a track, and what differs between one of them and the lines now. */
import useSWR from "swr";
import { api, unwrap, type Schemas } from "../../../platform/api/client";
import { keys } from "../../../platform/api/keys";
import type { Line } from "../../../domain/captions/types";

export type Version = Schemas["CaptionVersionOut"];
export type Versions = Schemas["CaptionVersionsOut"];
export type VersionLine = Schemas["CaptionVersionLine"];

const at = (slug: string, language: string) => ({
  path: { key: slug },
  query: { language },
});

export const useVersions = (slug: string, language: string) =>
  useSWR<Versions, Error>(
    keys.versionList(slug, language),
    async () =>
      (await unwrap(api.GET("/api/files/captions/{key}/versions", { params: at(slug, language) })))
        .data,
  );

/** Nothing is fetched without a version. */
export function useVersionLines(slug: string, language: string, version: number | undefined) {
  return useSWR<VersionLine[], Error>(
    version === undefined ? null : keys.version(slug, language, version),
    async () => {
      const params = { path: { key: slug, version: version ?? 0 }, query: { language } };
      const call = api.GET("/api/files/captions/{key}/versions/{version}", { params });
      return (await unwrap(call)).data.lines;
    },
    // What a version was does not change.
    { revalidateOnFocus: false, revalidateIfStale: false },
  );
}

export const keepVersion = async (
  slug: string,
  language: string,
  name: string,
): Promise<Versions> =>
  (
    await unwrap(
      api.POST("/api/files/captions/{key}/versions", {
        params: { path: { key: slug } },
        body: { name, language },
      }),
    )
  ).data;

export async function forgetVersion(
  slug: string,
  language: string,
  version: number,
): Promise<Versions> {
  const params = { path: { key: slug, version }, query: { language } };
  return (await unwrap(api.DELETE("/api/files/captions/{key}/versions/{version}", { params })))
    .data;
}

/** Restore a version, or only some lines of it. Returns the revision that this made. */
export async function restoreVersion(
  slug: string,
  version: number,
  body: { language: string; issued: number; lines?: string[] },
): Promise<number> {
  const params = { path: { key: slug, version } };
  const call = api.POST("/api/files/captions/{key}/versions/{version}/restore", { params, body });
  return (await unwrap(call)).data.revision;
}

/** A line that is not the same now as it was: gone, new, or with another text or other times. */
export interface Difference {
  id: string;
  kind: "changed" | "gone" | "new";
  now: VersionLine | undefined;
  then: VersionLine | undefined;
}

/** What differs, in order of time. A difference is restored by the id of its line. */
export function differencesOf(
  then: readonly VersionLine[],
  now: readonly Pick<Line, "id" | "start_ms" | "end_ms" | "text" | "speaker">[],
): Difference[] {
  const old = new Map(then.map((line) => [line.id, line]));
  const present = new Map(now.map((line) => [line.id, line]));
  const found: Difference[] = [];
  for (const line of then) {
    const held = present.get(line.id);
    if (held === undefined) found.push({ id: line.id, kind: "gone", now: undefined, then: line });
    else if (!same(line, held)) found.push({ id: line.id, kind: "changed", now: held, then: line });
  }
  for (const line of now) {
    if (!old.has(line.id)) found.push({ id: line.id, kind: "new", now: line, then: undefined });
  }
  return found.sort((a, b) => startOf(a) - startOf(b));
}

const startOf = ({ now, then }: Difference): number => (then ?? now)?.start_ms ?? 0;

const same = (a: VersionLine, b: VersionLine): boolean =>
  a.text === b.text &&
  a.start_ms === b.start_ms &&
  a.end_ms === b.end_ms &&
  a.speaker === b.speaker;
