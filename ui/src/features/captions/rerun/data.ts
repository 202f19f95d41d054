/** Transcribing lines again, and the choices that follow. */
import useSWR from "swr";
import { api, unwrap, type Schemas } from "../../../platform/api/client";
import { keys } from "../../../platform/api/keys";

export type Rerun = Schemas["RerunOut"];
export type ProposedLine = Schemas["ProposedLine"];
export type Choice = Schemas["Choice"];
export type Choices = Readonly<Record<string, Choice>>;

/** Events update the page. This slow poll is for browsers whose events do not arrive. */
const LOOK_AGAIN_MS = 10_000;

const at = (slug: string) => ({ params: { path: { key: slug } } });

export const isBusy = ({ state }: Pick<Rerun, "state">): boolean =>
  state === "waiting" || state === "running";

export const useRerun = (slug: string) =>
  useSWR<Rerun, Error>(
    keys.rerun(slug),
    async () => (await unwrap(api.GET("/api/files/captions/{key}/rerun", at(slug)))).data,
    { refreshInterval: (data) => (data !== undefined && isBusy(data) ? LOOK_AGAIN_MS : 0) },
  );

/** Without lines: the whole file. Without an engine: the one that is used here. */
export const startRerun = async (
  slug: string,
  body: { lines?: string[]; engine?: string },
): Promise<Rerun> =>
  (
    await unwrap(
      api.POST("/api/files/captions/{key}/rerun", {
        ...at(slug),
        body,
      }),
    )
  ).data;

export const cancelRerun = async (slug: string): Promise<Rerun> =>
  (await unwrap(api.POST("/api/files/captions/{key}/rerun/cancel", at(slug)))).data;

export const dismissRerun = async (slug: string): Promise<Rerun> =>
  (await unwrap(api.DELETE("/api/files/captions/{key}/rerun", at(slug)))).data;

/** Returns the revision that the choices made. */
export const decideRerun = async (
  slug: string,
  body: { issued: number; choices: Record<string, Choice> },
): Promise<number> =>
  (await unwrap(api.POST("/api/files/captions/{key}/rerun/decision", { ...at(slug), body }))).data
    .revision;

/** The same choice for every line that offers it; lines that do not keep their safe one. */
export const choicesOf = (
  lines: readonly ProposedLine[],
  wanted: "safe" | "mine" | "new",
): Record<string, Choice> =>
  Object.fromEntries(lines.map((line) => [line.id, wanted === "safe" ? line.default : wanted]));
