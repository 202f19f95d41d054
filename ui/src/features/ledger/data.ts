/** A payer's minutes: what is left, what was used, and what an upload will use. */
import useSWR from "swr";
import { api, unwrap, type Schemas } from "../../platform/api/client";
import { keys } from "../../platform/api/keys";
import { locale } from "../../platform/i18n/locale";

export type Balance = Schemas["LedgerBalanceOut"];
export type Grant = Schemas["LedgerGrantOut"];
export type Movement = Schemas["MovementOut"];
type MovementPage = Schemas["Page_MovementOut_"];
export type Usage = Schemas["UsageOut"];
export type Quote = Schemas["QuoteOut"];

/** Whose ledger: a team's, or for administrators that of any payer; one's own without either. */
export interface Whose {
  team?: string;
  payer?: string;
}

/** Jobs end while the page is open, and no event tells what they cost. */
const REFRESH = { refreshInterval: 30_000 };
export const PER_PAGE = 50;

const named = (whose: Whose): string => JSON.stringify(whose);

export const useBalance = (whose: Whose) =>
  useSWR<Balance, Error>(
    keys.ledgerPart(`balance/${named(whose)}`),
    async () => (await unwrap(api.GET("/api/ledger/balance", { params: { query: whose } }))).data,
    REFRESH,
  );

/** Without `may` nothing is fetched: members of a team see its balance alone. */
export const useUsage = (whose: Whose, month: string | undefined, may: boolean) =>
  useSWR<Usage, Error>(
    may && month !== undefined ? keys.ledgerPart(`usage/${month}/${named(whose)}`) : null,
    async () => {
      const query = { ...whose, month: month ?? "" };
      return (await unwrap(api.GET("/api/ledger/usage", { params: { query } }))).data;
    },
    REFRESH,
  );

export interface MovementFilter {
  month: string | undefined;
  all: boolean;
  page: number;
}

export const useMovements = (whose: Whose, filter: MovementFilter, may: boolean) =>
  useSWR<MovementPage, Error>(
    may ? keys.ledgerPart(`movements/${JSON.stringify({ ...whose, ...filter })}`) : null,
    async () => {
      const query = { ...whose, ...filter, per_page: PER_PAGE };
      // Only `format=csv` is answered with text.
      return (await unwrap(api.GET("/api/ledger", { params: { query } }))) as MovementPage;
    },
    { ...REFRESH, keepPreviousData: true },
  );

/** The address of the same movements as a spreadsheet, all pages. */
export function csvUrl(whose: Whose, { month, all }: Omit<MovementFilter, "page">): string {
  const query = new URLSearchParams({ ...whose, format: "csv", all: String(all), in: locale });
  if (month !== undefined) query.set("month", month);
  return `/api/ledger?${query.toString()}`;
}

export const useQuote = (seconds: number | undefined) =>
  useSWR<Quote, Error>(
    seconds === undefined ? null : keys.ledgerPart(`quote/${seconds}`),
    async () =>
      (await unwrap(api.POST("/api/ledger/quote", { body: { seconds: seconds ?? 0 } }))).data,
  );

export const allowExtra = async (is_allowed: boolean, limit: number): Promise<Balance> =>
  (await unwrap(api.PUT("/api/ledger/extra", { body: { is_allowed, limit } }))).data;

/** Add seconds to a grant, or take back what is left of it. */
export async function correct(grant_id: string, seconds: number, note: string): Promise<void> {
  const params = { path: { grant_id } };
  await unwrap(
    api.POST("/api/ledger/grants/{grant_id}/correct", { params, body: { seconds, note } }),
  );
}

export async function refund(job_id: string, note: string): Promise<void> {
  const params = { path: { job_id } };
  await unwrap(api.POST("/api/ledger/jobs/{job_id}/refund", { params, body: { note } }));
}
