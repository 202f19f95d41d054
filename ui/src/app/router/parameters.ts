/** How the parameters of routes look. An address whose parameter looks otherwise names no page. */
import type { Params } from "react-router";

/** `unknown`: there is no such route. `malformed`: there is one, and its parameter cannot be. */
export type Fault = "unknown" | "malformed";

/** What a route says about its parameters, in its `handle`. */
export type Check = (params: Params) => Fault | undefined;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const SLUG = /^[\w-]{1,100}$/;
const BROWSE_AS = "browseas-";

const malformedUnless = (isWellFormed: boolean): Fault | undefined =>
  isWellFormed ? undefined : "malformed";

export const checkId: Check = ({ id = "" }) => malformedUnless(UUID.test(id));

export const checkSlug: Check = ({ slug = "" }) => malformedUnless(SLUG.test(slug));

export const checkReset: Check = ({ hash = "", email = "" }) =>
  malformedUnless(SLUG.test(hash) && /^\S+@\S+$/.test(email));

export const checkBrowseAs: Check = ({ browseAs = "" }) =>
  browseAs.startsWith(BROWSE_AS)
    ? malformedUnless(UUID.test(browseAs.slice(BROWSE_AS.length)))
    : "unknown";
