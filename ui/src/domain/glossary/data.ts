/** The glossary of a person and of their team: how terms are translated. */
import useSWR from "swr";
import { api, callHeaders, unwrap } from "../../platform/api/client";
import { keys } from "../../platform/api/keys";
import type { GlossaryImport, TermScope, Term } from "./types";

export type TermChange = Pick<Term, "source" | "target" | "from" | "to" | "note" | "case">;

export function useGlossary() {
  return useSWR<Term[], Error>(
    keys.glossary,
    async () => (await unwrap(api.GET("/api/glossary"))).data,
  );
}

export const addTerm = async (term: TermChange, scope: TermScope | null): Promise<Term> =>
  (await unwrap(api.POST("/api/glossary", { body: { ...term, scope } }))).data;

export async function changeTerm(term_id: string, term: TermChange): Promise<Term> {
  const params = { path: { term_id } };
  return (await unwrap(api.PUT("/api/glossary/{term_id}", { params, body: term }))).data;
}

export async function removeTerm(term_id: string): Promise<void> {
  await unwrap(api.DELETE("/api/glossary/{term_id}", { params: { path: { term_id } } }));
}

export const EXPORT_URL = "/api/glossary/export";

export async function importTerms(chosen: File, scope: TermScope | null): Promise<GlossaryImport> {
  const body = new FormData();
  body.append("file", chosen);
  const headers = await callHeaders("POST");
  const path = `/api/glossary/import${scope === null ? "" : `?scope=${scope}`}`;
  const answer = await unwrap<{ data: GlossaryImport }>(
    fetch(path, { method: "POST", headers, body, credentials: "same-origin" }).then(
      async (response) => {
        const parsed: unknown = await response.json().catch(() => undefined);
        return response.ok
          ? { data: parsed as { data: GlossaryImport }, response }
          : { error: parsed, response };
      },
    ),
  );
  return answer.data;
}

const baseOf = (code: string): string => code.split("-")[0]?.toLowerCase() ?? "";

const applies = (held: string | null, wanted: string): boolean =>
  held === null || baseOf(held) === baseOf(wanted);

/** The terms that a translation between these languages uses; without `to`, those of all translations. */
export const termsFor = (terms: readonly Term[], from: string, to?: string): Term[] =>
  terms.filter((term) => applies(term.from, from) && (to === undefined || applies(term.to, to)));

/** The terms that contain the words of a search, in the order of the source. */
export function search(terms: readonly Term[], words: string): Term[] {
  const wanted = words.trim().toLocaleLowerCase();
  const found = terms.filter(({ source, target, note }) =>
    [source, target, note].some((text) => text.toLocaleLowerCase().includes(wanted)),
  );
  return found.sort((a, b) => a.source.localeCompare(b.source) || a.id.localeCompare(b.id));
}
