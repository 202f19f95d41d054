import type { useSWRConfig } from "swr";
import { keys, staleBy } from "../../api/keys";
import type { FilePage, MediaFile } from "../files/data";
import { withEvent, type PollingEvent } from "./events";

/**
 * Shows an event in the files that the page holds, without a call.
 *
 * SWR discards an answer that was on its way when its data was changed. The page would then go on with old data, or
 * stay empty if it was the first answer, so what was being fetched is fetched again.
 */
export function patchFiles(
  { cache, mutate }: Pick<ReturnType<typeof useSWRConfig>, "cache" | "mutate">,
  event: PollingEvent,
): void {
  const options = {
    revalidate: (_: unknown, key: unknown) => cache.get(String(key))?.isValidating === true,
  };
  void mutate<FilePage>(
    staleBy(keys.files),
    (page) => page && { ...page, data: page.data.map((file) => withEvent(file, event)) },
    options,
  );
  void mutate<MediaFile>(keys.file(event.slug), (file) => file && withEvent(file, event), options);
}
