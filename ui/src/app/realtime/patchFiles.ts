import type { useSWRConfig } from "swr";
import { keys } from "../../platform/api/keys";
import type { FilePage, MediaFile } from "../../domain/files/data";
import { withEvent, type PollingEvent } from "./events";

/**
 * Shows events in the files that the page holds, without a call. What they leave as it is is not touched.
 *
 * SWR discards an answer that was on its way when its data was changed. The page would then go on with old data, so
 * what was being fetched is fetched again.
 */
export function patchFiles(
  { cache, mutate }: Pick<ReturnType<typeof useSWRConfig>, "cache" | "mutate">,
  events: readonly PollingEvent[],
): void {
  const patch = <T>(key: string, change: (held: T) => T) => {
    const { data, isValidating } = cache.get(key) ?? {};
    if (data === undefined) return;
    const next = change(data as T);
    if (next !== data) void mutate(key, next, { revalidate: isValidating === true });
  };
  const patched = (file: MediaFile) => events.reduce(withEvent, file);
  for (const key of [...cache.keys()].filter((held) => held.startsWith(keys.files))) {
    patch<FilePage>(key, (page) => {
      const data = page.data.map(patched);
      return data.every((file, at) => file === page.data[at]) ? page : { ...page, data };
    });
  }
  for (const slug of new Set(events.map((event) => event.slug))) patch(keys.file(slug), patched);
}
