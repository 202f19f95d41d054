import { useEffect, useState } from "react";
import useSWR, { useSWRConfig } from "swr";
import { api, unwrap, type Schemas } from "../../platform/api/client";
import { keys, staleBy } from "../../platform/api/keys";
import { t } from "../../platform/messages/models";
import { useNewestFiles } from "../../domain/files/data";
import { toast } from "../../platform/notices/toast";
import { lookAgainMs } from "./timing";

export type Model = Schemas["ModelOut"];
export type Fetch = Schemas["FetchOut"];
export type ImprovableFile = Schemas["ImprovableFile"];

const FAILED = t("again.failed");

const speech = (models: Model[] | undefined) =>
  models?.find(({ task }) => task === "transcription");

/** What this installation can do for each kind of work. */
export function useModels(): Model[] | undefined {
  const { data } = useSWR<Model[], Error>(
    keys.models,
    async () => (await unwrap(api.GET("/api/models"))).data,
    { refreshInterval: (models) => lookAgainMs(speech(models)) },
  );
  return data;
}

/** The speech model of this installation, and the one being downloaded. */
export function useSpeechModel(): Model | undefined {
  const { mutate } = useSWRConfig();
  const data = speech(useModels());
  const label = data?.label;
  useEffect(() => {
    // Another model supports other languages, and may transcribe earlier files better.
    if (label !== undefined) void Promise.all([mutate(keys.config), mutate(keys.improvable)]);
  }, [label, mutate]);
  return data;
}

/** Files that the loaded model would transcribe better than the earlier engine, and a way to transcribe them again. */
export function useImprovement() {
  const { mutate: mutateAny } = useSWRConfig();
  const { data: page } = useNewestFiles();
  const { data, mutate } = useSWR<Schemas["Improvement"], Error>(
    keys.improvable,
    async () => (await unwrap(api.GET("/api/files/improvable"))).data,
  );
  const [busy, setBusy] = useState(false);
  const states = page?.data.map(({ slug, status }) => `${slug} ${status}`).join();
  useEffect(() => {
    void mutate();
  }, [states, mutate]);

  const improve = async (ids: string[]) => {
    setBusy(true);
    try {
      await unwrap(api.POST("/api/files/improve", { body: { ids } }));
    } catch (error) {
      toast("error", `${FAILED}. ${(error as Error).message}`);
    } finally {
      await Promise.all([mutate(), mutateAny(staleBy(keys.files))]);
      setBusy(false);
    }
  };
  return { label: data?.label ?? null, files: data?.files ?? [], improve, busy };
}
