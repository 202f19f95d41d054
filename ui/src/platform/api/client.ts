import createClient, { type Middleware } from "openapi-fetch";
import { t } from "../messages/shell";
import { locale } from "../i18n/locale";
import { decodedPath } from "./wellFormed";
import { reportOf } from "./errorReport";
import type { components, paths } from "./schema";

export type Schemas = components["schemas"];

/** The server's answer to a failed call. `message` is a sentence for the person. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly fields: Record<string, string[]> = {},
    readonly body: unknown = undefined,
    /** Pages decide by this when the status alone is not specific enough; empty otherwise. */
    readonly code = "",
    /** The answer had no sentence, as that of a proxy, so `message` says nothing about this call. */
    readonly isMute = false,
  ) {
    super(message);
  }
}

/** The sentence of an error, or the caller's for an error that has none. */
export function sentenceOf(error: unknown, fallback: string): string {
  if (!(error instanceof Error) || (error instanceof ApiError && error.isMute)) return fallback;
  return error.message || fallback;
}

const CHANGING = new Set(["POST", "PUT", "PATCH", "DELETE"]);
const OFFLINE = t("api.offline");

export function readCookie(name: string): string | undefined {
  const found = document.cookie.split("; ").find((part) => part.startsWith(`${name}=`));
  return found === undefined ? undefined : decodedPath(found.slice(name.length + 1));
}

/** The anti-forgery token. Fetches one when the browser has none yet or `renew` is set. */
export async function csrfToken(renew = false): Promise<string> {
  const held = readCookie("XSRF-TOKEN");
  if (held !== undefined && !renew) return held;
  // Without a network the call itself fails next, and says so.
  await fetch("/sanctum/csrf-cookie", { credentials: "same-origin" }).catch(() => undefined);
  return readCookie("XSRF-TOKEN") ?? "";
}

let activeTeam: string | undefined;
export function setActiveTeam(id: string | undefined): void {
  activeTeam = id;
}

/** The headers of every call; calls that change something also send the anti-forgery token. */
export async function callHeaders(method: string): Promise<Record<string, string>> {
  const headers: Record<string, string> = { Accept: "application/json", "Accept-Language": locale };
  if (activeTeam !== undefined) headers["X-Active-Team"] = activeTeam;
  if (CHANGING.has(method)) headers["X-XSRF-TOKEN"] = await csrfToken();
  return headers;
}

const headers: Middleware = {
  async onRequest({ request }) {
    for (const [name, value] of Object.entries(await callHeaders(request.method))) {
      request.headers.set(name, value);
    }
    return request;
  },
};

/** A call that only reads is made again once after these. */
const PASSING = new Set([408, 409, 425, 429, 500, 502, 503, 504]);

let onStepUp: () => Promise<boolean> = () => Promise.resolve(false);
let stepUp: Promise<boolean> | undefined;
/** Set what asks for a code when a call needs one first; it resolves to whether one was given. */
export function whenStepUpNeeded(listener: () => Promise<boolean>): void {
  onStepUp = listener;
}

/** Make a call, and again once the person has given the code that it asks for. */
export async function withStepUp(make: () => Promise<Response>): Promise<Response> {
  const response = await make();
  if (response.status !== 409) return response;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  if ((body as { code?: string } | undefined)?.code !== "step_up_needed") return response;
  stepUp ??= onStepUp().finally(() => (stepUp = undefined));
  return (await stepUp) ? make() : response;
}

const call = (request: Request): Promise<Response> => withStepUp(() => attempt(request.clone()));

/** Make the call, and once more if it failed in passing or its anti-forgery token was stale (419). */
async function attempt(request: Request): Promise<Response> {
  if (!CHANGING.has(request.method)) {
    const response = await globalThis.fetch(request.clone());
    return PASSING.has(response.status) ? globalThis.fetch(request) : response;
  }
  const again = request.clone();
  const response = await globalThis.fetch(request);
  if (response.status !== 419) return response;
  again.headers.set("X-XSRF-TOKEN", await csrfToken(true));
  return globalThis.fetch(again);
}

export const api = createClient<paths>({
  baseUrl: globalThis.location?.origin ?? "",
  credentials: "same-origin",
  fetch: call,
});
api.use(headers);

type Answer<T> = { data?: T; error?: unknown; response: Response };

let onSignedOut: () => void = () => undefined;
/** Set the listener for calls that find the session has ended (401 or 419). */
export function whenSignedOut(listener: () => void): void {
  onSignedOut = listener;
}

let onTeamLost: () => void = () => undefined;
/** Set the listener for calls that find the person has left the active team. */
export function whenTeamLost(listener: () => void): void {
  onTeamLost = listener;
}

let onBrowseAsEnded: () => void = () => undefined;
/** Set the listener for calls that find the time in somebody's account over. */
export function whenBrowseAsEnded(listener: () => void): void {
  onBrowseAsEnded = listener;
}

let onUnverified: () => void = () => undefined;
/** Set the listener for calls that are refused until the person confirms their address or adds a second factor. */
export function whenUnverified(listener: () => void): void {
  onUnverified = listener;
}

/** Return the body of a successful call, or throw an `ApiError` with the server's sentence. */
export async function unwrap<T>(answering: Promise<Answer<T>>): Promise<T> {
  let answer: Answer<T>;
  try {
    answer = await answering;
  } catch {
    throw new ApiError(0, OFFLINE);
  }
  if (answer.response.ok) return answer.data as T;
  const { status } = answer.response;
  const body = (answer.error ?? {}) as {
    message?: string;
    code?: string;
    errors?: Record<string, string[]>;
  };
  if (status === 401 || status === 419) onSignedOut();
  if (body.code === "not_your_team") onTeamLost();
  if (body.code === "browse_as_ended") onBrowseAsEnded();
  if (body.code === "email_unverified" || body.code === "second_factor_missing") onUnverified();
  const { message = "", errors = {}, code } = body;
  const isMute = message === "";
  const sentence = isMute ? t("api.failed") : message;
  const error = new ApiError(status, sentence, errors, answer.error, code, isMute);
  if (status >= 500) void logError(error, `${status} ${pathOf(answer.response)}`);
  throw error;
}

const pathOf = ({ url }: Response): string => (url === "" ? "" : new URL(url).pathname);

/** Send an error of the page to the server's log. Never throws. */
export async function logError(error: unknown, where: string): Promise<void> {
  try {
    await api.POST("/api/error/log", { body: reportOf(error, where) });
  } catch {
    // Nothing can be logged without a network.
  }
}

/**
 * Whether to log an error that stops a page from loading. The server logs its own failures,
 * and being signed out or offline is not an error.
 */
export const isWorthLogging = (error: unknown): boolean =>
  !(error instanceof ApiError) || (error.status < 500 && ![0, 401, 419].includes(error.status));

/** No answer, or one by a proxy in front of a server that is not there or not ready. */
const AWAY = new Set([0, 502, 503, 504]);

/** Whether a call failed because the server could not be reached, as without a network or while it restarts. */
export const isAway = (error: unknown): boolean =>
  error instanceof ApiError && AWAY.has(error.status);

/** Whether the server refused the call, and would again. */
export const isRefused = (error: unknown): boolean =>
  error instanceof ApiError && error.status !== 0 && !PASSING.has(error.status);

/** Send JSON to a route whose path is built at run time. Returns the body or throws an `ApiError`. */
export async function send<T>(method: string, path: string, body?: unknown): Promise<T> {
  const headers = await callHeaders(method);
  if (body !== undefined) headers["Content-Type"] = "application/json";
  return unwrap<T>(
    call(
      new Request(new URL(path, globalThis.location?.origin), {
        method,
        headers,
        credentials: "same-origin",
        body: JSON.stringify(body),
      }),
    ).then(async (response) => {
      const text = await response.text();
      let parsed: unknown;
      try {
        parsed = text === "" ? undefined : JSON.parse(text);
      } catch {
        parsed = undefined;
      }
      return response.ok ? { data: parsed as T, response } : { error: parsed, response };
    }),
  );
}
