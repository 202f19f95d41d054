import { expect, it } from "vitest";
import { checkBrowseAs, checkId, checkReset, checkSlug } from "./parameters";

const id = "0190c1a2-7b3c-7def-8123-456789abcdef";

it.each([
  [checkId({ id }), undefined],
  [checkId({ id: "7" }), "malformed"],
  [checkId({ id: `${id}x` }), "malformed"],
  [checkSlug({ slug: "a1B2_c-3" }), undefined],
  [checkSlug({ slug: id }), undefined],
  [checkSlug({ slug: "a b" }), "malformed"],
  [checkSlug({ slug: "<script>" }), "malformed"],
  [checkReset({ hash: "abc-_1", email: "ada@example.com" }), undefined],
  [checkReset({ hash: "abc", email: "ada" }), "malformed"],
  [checkBrowseAs({ browseAs: `browseas-${id}` }), undefined],
  [checkBrowseAs({ browseAs: "browseas-7" }), "malformed"],
  [checkBrowseAs({ browseAs: "xyz" }), "unknown"],
])("%#: %s", (found, expected) => expect(found).toBe(expected));
