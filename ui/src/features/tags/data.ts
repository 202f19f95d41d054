import useSWR, { useSWRConfig } from "swr";
import { api, unwrap, type Schemas } from "../../platform/api/client";
import { keys, staleBy } from "../../platform/api/keys";
import { toast } from "../../platform/notices/toast";

export type Tag = Schemas["CountedTag"];
export type FileTag = Schemas["TagOut"];
export type TagColour = Schemas["TagColour"];

export const COLOURS: TagColour[] = [
  "red",
  "orange",
  "amber",
  "lime",
  "green",
  "teal",
  "cyan",
  "blue",
  "indigo",
  "violet",
  "pink",
  "grey",
];

/** The person's tags and those of their teams. A list that cannot be loaded is empty. */
export function useTags(): { tags: Tag[]; isLoading: boolean } {
  const { data, isLoading } = useSWR<Tag[]>(keys.tags, async () => {
    try {
      return (await unwrap(api.GET("/api/tags"))).data;
    } catch {
      return [];
    }
  });
  return { tags: data ?? [], isLoading };
}

/** Changes of tags. Each shows the server's sentence when it fails. */
export function useTagActions() {
  const { mutate } = useSWRConfig();
  const refresh = () => Promise.all([mutate(keys.tags), mutate(staleBy(keys.files))]);
  const attempt = async <T>(call: () => Promise<T>): Promise<T | null> => {
    try {
      return await call();
    } catch (error) {
      toast("error", (error as Error).message);
      return null;
    } finally {
      await refresh();
    }
  };
  const done = async (call: () => Promise<unknown>): Promise<boolean> =>
    (await attempt(async () => {
      await call();
      return true;
    })) ?? false;
  const at = (slug: string) => ({ params: { path: { slug } } });
  return {
    /** Resolves to the new tag, or to null when there is none. */
    create: (tag: string, colour?: TagColour): Promise<Tag | null> =>
      attempt(async () => (await unwrap(api.POST("/api/tags", { body: { tag, colour } }))).data),
    change: (slug: string, body: Schemas["TagChange"]): Promise<boolean> =>
      done(() => unwrap(api.PATCH("/api/tags/{slug}", { ...at(slug), body }))),
    remove: (slug: string): Promise<boolean> =>
      done(() => unwrap(api.DELETE("/api/tags/{slug}", at(slug)))),
    /** Set the whole list of one file. */
    setTags: (fileSlug: string, tags: string[]): Promise<boolean> =>
      done(() => unwrap(api.PUT("/api/tags/{slug}", { ...at(fileSlug), body: { tags } }))),
    /** Add tags to files and take others from them. */
    tagFiles: (body: Schemas["TagFiles"]): Promise<boolean> =>
      done(() => unwrap(api.POST("/api/files/tags", { body }))),
  };
}
