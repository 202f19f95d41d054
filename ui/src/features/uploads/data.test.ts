import { describe, expect, it } from "vitest";
import { interrupted, settle, type Upload } from "./data";

const upload = (tus_url: string, status: Upload["status"], is_displayed = true): Upload => ({
  id: tus_url,
  slug: tus_url,
  tus_url,
  filename: `${tus_url}.mp4`,
  filetype: "video/mp4",
  filesize: 100,
  detects_speakers: false,
  language: "is-IS",
  status,
  is_displayed,
  bytes_uploaded: 40,
  error: null,
  file_slug: null,
  created_at: "2026-01-01T00:00:00Z",
  updated_at: "2026-01-01T00:00:00Z",
});

describe("uploads after a reload", () => {
  it("makes what is marked uploading but not going on here incomplete", () => {
    const list = [upload("a", "uploading"), upload("b", "uploading"), upload("c", "waiting")];
    expect(settle(list, new Set(["b"]), new Set()).map((one) => one.status)).toEqual([
      "incomplete",
      "uploading",
      "waiting",
    ]);
  });

  it("shows those a person can act on", () => {
    const list = [
      upload("a", "uploading"),
      upload("b", "incomplete"),
      upload("c", "failed"),
      upload("d", "incomplete", false),
      upload("e", "completed"),
      upload("f", "incomplete"),
    ];
    expect(interrupted(list, new Set(["f"]), new Set()).map((one) => one.tus_url)).toEqual([
      "a",
      "b",
      "c",
    ]);
  });

  it("calls nothing cut off that ended here, however old the list is, but shows what failed later", () => {
    const list = [upload("a", "uploading"), upload("b", "failed")];
    const ended = new Set(["a", "b"]);
    expect(interrupted(list, new Set(), ended).map((one) => one.tus_url)).toEqual(["b"]);
  });
});
