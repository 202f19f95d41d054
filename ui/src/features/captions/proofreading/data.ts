import useSWR from "swr";
import { api, unwrap, type Schemas } from "../../../platform/api/client";
import { keys } from "../../../platform/api/keys";

export type Proofreading = Schemas["ProofreadingOut"];
export type Proposal = Schemas["ProposalOut"];
export type Task = Schemas["ProofreadTask"];

const LOOK_EVERY_MS = 1_500;

export const isReading = (one: Proofreading | null | undefined): boolean =>
  one?.status === "waiting" || one?.status === "running";

/** The last proofreading of a track. While one runs, its state is fetched again and again. */
export function useProofreading(slug: string, language: string) {
  const path = { key: slug };
  const { data, error, mutate } = useSWR<Proofreading | null, Error>(
    keys.proofreading(slug, language),
    async () => {
      const params = { path, query: { language } };
      const call = api.GET("/api/files/captions/{key}/proofreading", { params });
      return (await unwrap(call)).data ?? null;
    },
    { refreshInterval: (held) => (isReading(held) ? LOOK_EVERY_MS : 0) },
  );
  const start = async (task: Task, lines?: string[]): Promise<void> => {
    const body = { language, task, ...(lines === undefined ? {} : { lines }) };
    const call = api.POST("/api/files/captions/{key}/proofreading", { params: { path }, body });
    await mutate((await unwrap(call)).data, { revalidate: false });
  };
  const cancel = async (): Promise<void> => {
    const params = { path, query: { language } };
    const call = api.POST("/api/files/captions/{key}/proofreading/cancel", { params });
    await mutate((await unwrap(call)).data, { revalidate: false });
  };
  return { data, error, start, cancel };
}
