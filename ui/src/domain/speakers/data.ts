/** Who speaks in a file, and the actions on speakers. */
import { useMemo } from "react";
import useSWR, { useSWRConfig } from "swr";
import { api, ApiError, unwrap, type Schemas } from "../../platform/api/client";
import { keys, staleBy } from "../../platform/api/keys";
import { t } from "../../platform/messages/speakers";
import { unlessOpen } from "../captions/changes";
import { toast } from "../../platform/notices/toast";

export type Speakers = Schemas["SpeakersOut"];
export type Speaker = Schemas["SpeakerOut"];
export type SpeakerStyle = Schemas["SpeakerStyle"];

/** Events update the page. This slow poll is for browsers whose events do not arrive. */
const LOOK_AGAIN_MS = 10_000;

/** Stands for a speaker that does not exist yet. */
export const NEW_SPEAKER = "new";

/** As many as the server's palette. */
export const COLOURS = Array.from({ length: 12 }, (_, index) => index);

export const isDetecting = ({ state }: Pick<Speakers, "state">): boolean =>
  state === "waiting" || state === "running";

const at = (slug: string) => ({ params: { path: { key: slug } } });

export function useSpeakers(slug: string) {
  return useSWR<Speakers, Error>(
    keys.speakers(slug),
    async () => (await unwrap(api.GET("/api/files/speakers/{key}", at(slug)))).data,
    { refreshInterval: (data) => (data !== undefined && isDetecting(data) ? LOOK_AGAIN_MS : 0) },
  );
}

/** A limit of the installation's detection, in a sentence; undefined without one, or while nobody knows. */
export function useDetectionLimit(): string | undefined {
  const { data } = useSWR<Schemas["ModelOut"][], Error>(
    keys.models,
    async () => (await unwrap(api.GET("/api/models"))).data,
  );
  const model = data?.find(({ task }) => task === "diarization");
  return model?.state === "missing" || model?.state === "failed" ? CHANNELS_ONLY : undefined;
}

const CHANNELS_ONLY = t("detection.noModel");

export interface SpeakerActions {
  detect: (speakers: number | null) => Promise<boolean>;
  cancel: () => Promise<boolean>;
  /** Add a speaker without lines. An empty name: the next number. */
  add: (name: string) => Promise<boolean>;
  /** The label of the speaker who has this name already, to offer a merge; null when the name was saved. */
  rename: (label: string, name: string) => Promise<string | null>;
  /** The speaker is not who it sounds like. */
  dismissVoice: (label: string) => Promise<boolean>;
  recolour: (label: string, colour: number) => Promise<boolean>;
  merge: (label: string, into: string) => Promise<boolean>;
  /** Say who speaks these lines: a label, `NEW_SPEAKER`, or null for nobody. */
  assign: (lines: string[], speaker: string | null) => Promise<boolean>;
}

/** The speaker who has the name already, when the server refused it for that. */
export function takenBy(error: unknown): string | null {
  if (!(error instanceof ApiError) || error.code !== "same_name") return null;
  return (error.body as { data: { label: string } }).data.label;
}

/** The actions on a file's speakers. Each shows the server's sentence when it fails, and returns whether it worked. */
export function useSpeakerActions(slug: string): SpeakerActions {
  const { mutate } = useSWRConfig();
  return useMemo(() => {
    const refresh = () => {
      const stale = [keys.speakers(slug), keys.translatedCaptions(slug)].map(staleBy);
      return Promise.all([...stale, unlessOpen(keys.captions(slug))].map((key) => mutate(key)));
    };
    const attempt = async (call: Promise<unknown>) => {
      try {
        await call;
        return true;
      } catch (error) {
        toast("error", (error as Error).message);
        return false;
      } finally {
        await refresh();
      }
    };
    const one = (label: string) => ({ params: { path: { key: slug, label } } });
    return {
      detect: (speakers) =>
        attempt(unwrap(api.POST("/api/files/speakers/{key}", { ...at(slug), body: { speakers } }))),
      cancel: () => attempt(unwrap(api.POST("/api/files/speakers/{key}/cancel", at(slug)))),
      add: (name) =>
        attempt(unwrap(api.POST("/api/files/speakers/{key}/new", { ...at(slug), body: { name } }))),
      rename: async (label, name) => {
        const call = api.PUT("/api/files/speakers/{key}/{label}", {
          ...one(label),
          body: { name },
        });
        try {
          await unwrap(call);
        } catch (error) {
          const taken = takenBy(error);
          if (taken === null) toast("error", (error as Error).message);
          return taken;
        } finally {
          await refresh();
        }
        return null;
      },
      dismissVoice: (label) =>
        attempt(unwrap(api.POST("/api/files/speakers/{key}/{label}/voice/dismiss", one(label)))),
      recolour: (label, colour) =>
        attempt(
          unwrap(api.PUT("/api/files/speakers/{key}/{label}", { ...one(label), body: { colour } })),
        ),
      merge: (label, into) =>
        attempt(
          unwrap(
            api.POST("/api/files/speakers/{key}/{label}/merge", { ...one(label), body: { into } }),
          ),
        ),
      assign: (lines, speaker) =>
        attempt(
          unwrap(
            api.POST("/api/files/speakers/{key}/lines", { ...at(slug), body: { lines, speaker } }),
          ),
        ),
    };
  }, [slug, mutate]);
}
