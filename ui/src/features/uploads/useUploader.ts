import { useEffect, useMemo, useRef, useSyncExternalStore } from "react";
import { useSWRConfig } from "swr";
import { keys } from "../../api/keys";
import type { Schemas } from "../../api/client";
import { makeUploader, type UploadFile, type Uploader } from "./uploader";

/** The uploader of the page and its files; it ends with the page. */
export function useUploader(
  config: Schemas["PublicConfig"]["uploads"],
  language: string,
): { uppy: Uploader; files: UploadFile[] } {
  const { mutate } = useSWRConfig();
  const chosen = useRef(language);
  useEffect(() => {
    chosen.current = language;
  }, [language]);

  const uppy = useMemo(
    () =>
      makeUploader(
        config,
        () => chosen.current,
        () => {
          void mutate(keys.uploads);
          void mutate(keys.files);
        },
      ),
    [config, mutate],
  );

  const state = useSyncExternalStore(
    (listener) => uppy.store.subscribe(listener),
    () => uppy.getState().files,
  );
  return { uppy, files: Object.values(state) as UploadFile[] };
}
