/** What an address needs begins to load before React renders: the code of its page, and its first calls. */
import { api, unwrap } from "../../platform/api/client";
import { begin } from "../../platform/api/early";
import { keys } from "../../platform/api/keys";
import { fetchConfig } from "../../platform/api/publicConfig";
import { fetchUser, isSignedIn } from "../../domain/person/session";
import { isSignOutPending } from "../../domain/person/signOut";
import { fetchFirstLines, isWhole } from "../../domain/captions/firstLines";
import type { Captions } from "../../domain/captions/types";
import { redirectFor } from "../../domain/person/navigation";
import { startPage } from "./routes";
import { decodedPath } from "../../platform/api/wellFormed";

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
  void begin(keys.user, fetchUser);
  const slug = decodedPath(EDITOR.exec(pathname)?.[1] ?? "") ?? "";
  // What somebody may see does not depend on their team, so these need not wait for the answer that names it.
  if (slug !== "" && !isSignOutPending()) beginEditor(slug, search);
}

function beginEditor(slug: string, search: string): void {
  const params = { path: { slug } };
  void begin(
    keys.file(slug),
    async () => (await unwrap(api.GET("/api/files/{slug}", { params }))).data,
  );
  // A translation is another track, which the page finds by the file.
  if (search !== "") return;
  const first = begin(keys.firstLines(slug), () => fetchFirstLines(slug));
  // Thousands of lines would keep the first ones waiting.
  void begin(keys.captions(slug), async () => {
    const captions = await first;
    return isWhole(captions) ? captions : fetchAll(slug);
  });
}

async function fetchAll(slug: string): Promise<Captions> {
  const params = { path: { key: slug } };
  return (await unwrap(api.GET("/api/files/captions/{key}", { params, cache: "no-store" }))).data;
}
