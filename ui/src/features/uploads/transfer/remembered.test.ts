// @vitest-environment jsdom
import { defaultOptions } from "tus-js-client";
import { afterEach, expect, it } from "vitest";
import { continueWords, rememberedUploads } from "./remembered";

afterEach(() => localStorage.clear());

const stopped = (id: string, error: string | null = null) =>
  ({ tus_url: `/tus/${id}`, status: error === null ? "incomplete" : "failed", error }) as const;

it("promises to continue only what this browser can continue", async () => {
  await defaultOptions.urlStorage.addUpload("fingerprint", {
    size: 5,
    metadata: {},
    creationTime: "2026-01-01",
    urlStorageKey: "",
    uploadUrl: "https://uploads.example/tus/abc",
    parallelUploadUrls: null,
  });
  const held = await rememberedUploads();
  expect(continueWords(stopped("abc"), held)).toContain("resume where it stopped");
  expect(continueWords(stopped("other"), held)).toContain("This browser cannot resume it");
  expect(continueWords(stopped("abc", "It expired."), held)).toBe("It expired.");
  localStorage.clear();
  expect(continueWords(stopped("abc"), await rememberedUploads())).toContain("cannot resume");
});
