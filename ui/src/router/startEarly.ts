/** What an address needs begins to load before React renders: the code of its page, and its first calls. */
import { api, unwrap } from "../api/client";
import { begin } from "../api/early";
import { keys } from "../api/keys";
import { fetchConfig } from "../api/publicConfig";
import { fetchUser, isSignedIn } from "../features/auth/session";
import { redirectFor } from "./navigation";
import { startPage } from "./routes";

const EDITOR = /^\/captions\/(?!processing\/)([^/]+)$/;

/** Where somebody who is signed in arrives from the pages of visitors. */
const HOME = new Set(["/", "/login", "/reset/password"]);

export function startEarly({ pathname, search }: Pick<Location, "pathname" | "search">): void {
  if (!isSignedIn()) {
    startPage(redirectFor(pathname, undefined) ?? pathname);
    return;
  }
  startPage(HOME.has(pathname) ? "/dashboard" : pathname);
  void begin(keys.config, fetchConfig);
  const slug = EDITOR.exec(pathname)?.[1];
  // Calls are made for the person's team, which only the answer names.
  void begin(keys.user, fetchUser).then(
    (user) => {
      if (user !== null && slug !== undefined) beginEditor(decodeURIComponent(slug), search);
    },
    () => undefined,
  );
}

function beginEditor(slug: string, search: string): void {
  const file = async () =>
    (await unwrap(api.GET("/api/files/{slug}", { params: { path: { slug } } }))).data;
  void begin(keys.file(slug), file);
  // A translation is another track, which the page finds by the file.
  if (search !== "") return;
  const params = { path: { key: slug } };
  void begin(
    keys.captions(slug),
    async () =>
      (await unwrap(api.GET("/api/files/captions/{key}", { params, cache: "no-store" }))).data,
  );
}
