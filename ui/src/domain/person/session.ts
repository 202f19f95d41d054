import { useCallback } from "react";
import useSWR, { useSWRConfig } from "swr";
import {
  api,
  ApiError,
  csrfToken,
  isAway,
  readCookie,
  setActiveTeam,
  unwrap,
  type Schemas,
} from "../../platform/api/client";
import { begunOr } from "../../platform/api/early";
import { offlineAnswer } from "../../platform/api/offlineAnswer";
import { isPersonal, keys } from "../../platform/api/keys";
import { rememberedTeam } from "./rememberedTeam";
import { locale, storeLocale } from "../../platform/i18n/locale";
import { matchLocale } from "./switchLocale";
import { activeTeamOf } from "./navigation";
import { forgetPerson } from "../../platform/offline/atSignOut";
import { DATABASE, hasSealed, rememberSealed } from "../../platform/offline/account";
import { handOver } from "./handover";
import { endSession, forgetSignOut, rememberSignOut, resumeSignOut } from "./signOut";

export type User = Schemas["UserOut"];

const LOOK_AGAIN_MS = 5_000;

/** The server's readable cookie shows whether somebody is signed in; without it there is no user to fetch. */
export function isSignedIn(): boolean {
  try {
    const flag = JSON.parse(readCookie("auth") ?? "{}") as { authenticated?: boolean };
    return flag.authenticated === true;
  } catch {
    return false;
  }
}

export async function fetchUser(): Promise<User | null> {
  if ((await resumeSignOut()) || !isSignedIn()) return null;
  try {
    const { data: user } = await unwrap(api.GET("/api/user"));
    if (user.browse_as == null) await handOver(user.id);
    return arrived(user);
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    // Who cannot reach the server is still signed in: what is kept of their work opens.
    return arrived(await offlineAnswer<User>(keys.user, error));
  }
}

/** Who was signed in last on this page. */
let latest: string | undefined;

/** From here on, calls are made for the person's team, if they work through one, and pages are in their language. */
function arrived(user: User): User {
  latest = user.id;
  setActiveTeam(activeTeamOf(user, rememberedTeam()));
  matchLocale(user);
  return user;
}

export interface Session {
  /** undefined while loading, null when nobody is signed in. */
  user: User | null | undefined;
  error: Error | undefined;
  /** `restore` takes a deleted account back. */
  login: (email: string, password: string, restore?: boolean) => Promise<void>;
  /** Go on with a sign-in that waits for a code. `trust`: ask this browser for none for a while. */
  giveCode: (code: string, trust: boolean) => Promise<void>;
  register: (form: Schemas["Registration"]) => Promise<User>;
  /** Go on as somebody whom an identity provider has signed in. */
  enter: (user: User) => Promise<void>;
  /** Sign out of this browser. Resolves to whether the server ended the session; if not, the next visit ends it. */
  logout: () => Promise<boolean>;
}

export function useSession(): Session {
  const { data, error, mutate } = useSWR<User | null, Error>(
    keys.user,
    () => begunOr(keys.user, fetchUser),
    {
      revalidateOnFocus: false,
      // Without it no page shows. On a busy machine what the browser keeps may be readable only at a later try.
      shouldRetryOnError: isAway,
      onErrorRetry: (_error, _key, _config, revalidate, { retryCount }) =>
        void setTimeout(() => void revalidate({ retryCount }), LOOK_AGAIN_MS),
    },
  );
  const { mutate: mutateAll } = useSWRConfig();

  const enter = useCallback(
    async (user: User) => {
      forgetSignOut();
      // Nothing that the page still holds of somebody else is shown or sent in this person's name.
      if (latest !== user.id) forgetPerson();
      latest = user.id;
      await handOver(user.id);
      await mutate(arrived(user), { revalidate: false });
    },
    [mutate],
  );

  const login = useCallback(
    async (email: string, password: string, restore = false) => {
      await csrfToken(true);
      const { data: user } = await unwrap(
        api.POST("/login", { body: { email, password, restore } }),
      );
      await enter(user);
    },
    [enter],
  );

  const giveCode = useCallback(
    async (code: string, trust: boolean) => {
      const { data: user } = await unwrap(api.POST("/login/code", { body: { code, trust } }));
      await enter(user);
    },
    [enter],
  );

  const register = useCallback(
    async (form: Schemas["Registration"]) => {
      await csrfToken(true);
      const { data: user } = await unwrap(api.POST("/register", { body: form }));
      await enter(user);
      return user;
    },
    [enter],
  );

  const logout = useCallback(async () => {
    // Uploads stop first: on a slow connection the call would wait behind their bytes.
    forgetPerson();
    let isEnded = true;
    let next: string | undefined;
    try {
      next = await endSession();
    } catch {
      isEnded = false;
    }
    // Even after a failed sign-out nothing of this person stays here, nor what arrived during the call.
    forgetPerson();
    setActiveTeam(undefined);
    const sealed = hasSealed();
    localStorage.clear();
    sessionStorage.clear();
    // Other pages let go of it by themselves.
    indexedDB.deleteDatabase(DATABASE);
    storeLocale(locale);
    rememberSealed(sealed);
    if (!isEnded) rememberSignOut();
    await mutate(null, { revalidate: false });
    await mutateAll(isPersonal, undefined, { revalidate: false });
    if (next !== undefined) window.location.assign(next);
    return isEnded;
  }, [mutate, mutateAll]);

  return { user: data, error, login, giveCode, register, enter, logout };
}
