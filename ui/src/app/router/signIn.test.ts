// @vitest-environment jsdom
import { expect, it } from "vitest";
import { placeAfterSignIn } from "../../domain/person/signIn";
import { isKnownPage } from "./routes";

it.each<[unknown, string]>([
  [null, "/dashboard"],
  ["text", "/dashboard"],
  [{ from: "/captions/talk?language=is#x" }, "/captions/talk?language=is#x"],
  [{ from: "/captions/talk", whose: "ada" }, "/captions/talk"],
  [{ from: "/captions/talk", whose: "bob" }, "/dashboard"],
  [{ from: "/subscription" }, "/subscription"],
  [{ from: "/nothing/here" }, "/dashboard"],
  [{ from: "/captions/%zz" }, "/dashboard"],
  [{ from: "//evil.example/captions" }, "/dashboard"],
  [{ from: "/\\evil.example/captions" }, "/dashboard"],
  [{ from: "https://evil.example/captions" }, "/dashboard"],
  [{ from: "javascript:alert(1)" }, "/dashboard"],
])("after sign-in %j leads to %s", (state, place) =>
  expect(placeAfterSignIn(state, "ada", isKnownPage)).toBe(place),
);
