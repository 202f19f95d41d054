import { useMemo } from "react";
import useSWR, { useSWRConfig, type SWRConfiguration } from "swr";
import { fetchCaptions, type Track } from "../../../domain/captions/calls";
import { fetchFirstLines, partOf } from "../../../domain/captions/firstLines";
import type { Captions } from "../../../domain/captions/types";
import { begunOr } from "../../../platform/api/early";
import { keys } from "../../../platform/api/keys";

/**
 * The captions of a track; nothing is fetched while it is null. Two states are compared as objects: SWR would write
 * every word of both down.
 */
export function useCaptions(track: Track | null, options: SWRConfiguration<Captions, Error> = {}) {
  const { cache } = useSWRConfig();
  const key = track && keys.captions(track.slug, track.language);
  const held = () => (key === null ? undefined : (cache.get(key)?.data as Captions | undefined));
  const load = () => {
    if (track === null || key === null) return undefined;
    const before = held();
    const fetch = () => fetchCaptions(track, before);
    return before === undefined ? begunOr(key, fetch) : fetch();
  };
  return useSWR<Captions, Error>(key, load as () => Promise<Captions>, {
    revalidateOnFocus: false,
    compare: Object.is,
    ...options,
  });
}

/** The first lines, where somebody opens the file at a time in milliseconds that they reach, until all are here. */
export function useFirstLines({ slug, language }: Track, opensAt: number, isHere: boolean) {
  const key = keys.firstLines(slug);
  const isWanted = !isHere && language === undefined && Number.isFinite(opensAt);
  const { data } = useSWR<Captions, Error>(
    isWanted ? key : null,
    () => begunOr(key, () => fetchFirstLines(slug)),
    // All lines come by a call of their own, whose error shows.
    { revalidateOnFocus: false, compare: Object.is, onError: () => undefined },
  );
  return useMemo(
    () => (isWanted && data !== undefined ? partOf(data, opensAt) : undefined),
    [isWanted, data, opensAt],
  );
}
