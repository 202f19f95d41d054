/** Sign in with an identity provider: to it, and back from it. */
import useSWR from "swr";
import { api, csrfToken, unwrap, type Schemas } from "../../platform/api/client";
import { keys } from "../../platform/api/keys";
import { stateOf, type SignInState } from "./signIn";

export type ProviderChoice = Schemas["ProviderChoice"];
export type SignInResult = Schemas["SignInResult"];

const RETURNING = "sagascript.returning";

/** Where the browser goes on after the provider; `notice` is what the page then says. */
export type Returning = SignInState;

/** The providers of this installation; undefined until they are known. */
export const useProviders = () =>
  useSWR<ProviderChoice[], Error>(
    keys.providers,
    async () => (await unwrap(api.GET("/api/sign-in/providers"))).data,
    { revalidateOnFocus: false },
  );

/** Leave for a provider. `start` begins what the browser is sent for. */
export async function leaveFor(
  start: () => Promise<Schemas["GoTo"]>,
  returning: Returning,
): Promise<void> {
  await csrfToken(true);
  const { url } = await start();
  sessionStorage.setItem(RETURNING, JSON.stringify(returning));
  window.location.assign(url);
}

export const startSignIn = async (slug: string): Promise<Schemas["GoTo"]> =>
  (await unwrap(api.POST("/api/sign-in/{slug}", { params: { path: { slug } } }))).data;

/** What was noted when the browser left. */
export function takeReturning(): Returning {
  const held = sessionStorage.getItem(RETURNING);
  sessionStorage.removeItem(RETURNING);
  try {
    return stateOf(JSON.parse(held ?? "{}"));
  } catch {
    return {};
  }
}

const answers = new Map<string, Promise<SignInResult>>();

/** Give the server what the provider sent the browser back with. It takes each answer once, so we ask once. */
export function takeAnswer(slug: string, query: URLSearchParams): Promise<SignInResult> {
  const state = query.get("state") ?? "-";
  const known = answers.get(state);
  if (known !== undefined) return known;
  const body = {
    state,
    code: query.get("code"),
    iss: query.get("iss"),
    error: query.get("error"),
    error_description: query.get("error_description"),
  };
  const answer = unwrap(
    api.POST("/api/sign-in/{slug}/answer", { params: { path: { slug } }, body }),
  ).then(({ data }) => data);
  answers.set(state, answer);
  return answer;
}

export const giveProof = async (
  slug: string,
  body: Schemas["SignInProof"],
): Promise<SignInResult> =>
  (await unwrap(api.POST("/api/sign-in/{slug}/proof", { params: { path: { slug } }, body }))).data;
