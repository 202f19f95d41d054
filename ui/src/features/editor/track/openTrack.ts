/** A store with its journal, and those that were left before everything was saved. */
import type { useSWRConfig } from "swr";
import { fetchNewer, saveEdit, type Track } from "../../../domain/captions/calls";
import { EditorStore } from "../../../domain/captions/store/EditorStore";
import type { Captions } from "../../../domain/captions/types";
import type { OpenJournal } from "../../../domain/offline/journals";
import type { LateJournal } from "../../../domain/offline/lateJournal";
import { keys } from "../../../platform/api/keys";
import { toast } from "../../../platform/notices/toast";
import { onSignOut } from "../../../platform/offline/atSignOut";

export interface OpenTrack {
  /** The key of the track in the cache. */
  key: string;
  store: EditorStore;
  journal: LateJournal;
}

/**
 * Stores whose page was left before everything was saved. Somebody who returns gets the same one, because a second
 * store would take what the first one still sends for somebody else's changes.
 */
export const unsettled = new Map<string, OpenTrack>();
onSignOut(() => unsettled.clear());

/** The store of captions that were left before everything was saved, by their key in the cache. */
export const unsettledStore = (key: string): EditorStore | undefined => unsettled.get(key)?.store;

export function storeOf(
  track: Track,
  captions: Captions,
  { journal, mutate }: { journal: OpenJournal; mutate: ReturnType<typeof useSWRConfig>["mutate"] },
): EditorStore {
  const { slug, language } = track;
  const key = keys.captions(slug, language);
  let isEmpty = captions.lines.length === 0;
  return new EditorStore(
    captions,
    { load: (held) => fetchNewer(track, held), save: (edit) => saveEdit(slug, edit) },
    journal,
    {
      onProblem: (message) => toast("error", message),
      onSaved: (saved) => {
        void mutate(key, saved, { revalidate: false });
        // SWR would show lines fetched within the last 2 s, which do not say yet that their original changed.
        const translated = keys.translatedCaptions(slug);
        void mutate(
          (other) => typeof other === "string" && other.startsWith(translated) && other !== key,
        );
        // The file's record includes whether it has captions.
        if (isEmpty !== (saved.lines.length === 0)) void mutate(keys.file(slug));
        isEmpty = saved.lines.length === 0;
      },
    },
  );
}
