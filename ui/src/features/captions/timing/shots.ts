/** Where the picture of a video cuts: what the server found, and the search for it. */
import { useEffect } from "react";
import useSWR, { useSWRConfig } from "swr";
import { api, unwrap, type Schemas } from "../../../platform/api/client";
import { keys } from "../../../platform/api/keys";
import type { MediaFile } from "../../../domain/files/data";
import { toast } from "../../../platform/notices/toast";
import type { Editing } from "../../editor/editing";

export type Shots = Schemas["ShotsOut"];

/** The search sends no events. */
const LOOK_AGAIN_MS = 2_000;

export const isSearching = ({ state }: Pick<Shots, "state">): boolean =>
  state === "waiting" || state === "running";

const at = (slug: string) => ({ params: { path: { slug } } });

export function useShots(file: MediaFile) {
  return useSWR<Shots, Error>(
    file.kind === "video" ? keys.shots(file.slug) : null,
    async () => (await unwrap(api.GET("/api/files/{slug}/shots", at(file.slug)))).data,
    { refreshInterval: (data) => (data !== undefined && isSearching(data) ? LOOK_AGAIN_MS : 0) },
  );
}

/** Gives the editor the frames and the shots of its file, for marks, snapping and keys. */
export function usePicture(editing: Editing, file: MediaFile): void {
  useEffect(() => void editing.playback.framesAt(file.fps), [editing, file.fps]);
  const found = useShots(file).data?.shots_ms;
  useEffect(() => editing.setShots(found ?? []), [editing, found]);
}

/** Start the search; its state arrives in `useShots`. */
export function useShotSearch(slug: string): () => Promise<void> {
  const { mutate } = useSWRConfig();
  return async () => {
    try {
      const { data } = await unwrap(api.POST("/api/files/{slug}/shots", at(slug)));
      await mutate(keys.shots(slug), data, { revalidate: false });
    } catch (error) {
      toast("error", (error as Error).message);
    }
  };
}
