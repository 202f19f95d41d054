// @vitest-environment jsdom
import { beforeEach, describe, expect, it } from "vitest";
import {
  FIRST_CHOICE,
  formOf,
  heightsFor,
  holdsOneSound,
  lastChoice,
  partOf,
  remember,
  requestOf,
  timeOf,
  type Choice,
} from "./choice";
import type { ExportOptions } from "./data";

const OPTIONS: ExportOptions = {
  kind: "video",
  duration_ms: 60_000,
  width: 1920,
  height: 1080,
  is_hdr: false,
  captions: [],
  sounds: [],
  heights: [
    { aspect: "original", fit: "pad", heights: [720, 480] },
    { aspect: "9:16", fit: "crop", heights: [480] },
  ],
  file_forms: { burned: ["mp4", "mkv"], soft: ["mp4", "mkv", "webm"], audio: ["m4a", "mp3"] },
};
const chosen = (more: Partial<Choice>): Choice => ({ ...FIRST_CHOICE, ...more });
const asked = (more: Partial<Choice>) => requestOf(chosen(more), "is-IS", OPTIONS, false);

beforeEach(() => localStorage.clear());

describe("the choice of an export", () => {
  it("reads times as people write them", () => {
    expect([timeOf("1:02:03"), timeOf("2:03"), timeOf("3,5"), timeOf("x"), timeOf("")]).toEqual([
      3_723_000,
      123_000,
      3_500,
      null,
      null,
    ]);
  });

  it("takes a part only where it lies in the file", () => {
    expect(partOf(chosen({ part: { from: "0:10", to: "" } }), 60_000)).toEqual({
      start: 10_000,
      end: 60_000,
    });
    expect(partOf(chosen({ part: { from: "0:20", to: "0:10" } }), 60_000)).toBe("wrong");
    expect(partOf(chosen({ part: { from: "2:00", to: "3:00" } }), 60_000)).toBe("wrong");
  });

  it("knows the file form that is meant, and how many sound tracks it holds", () => {
    expect(formOf(chosen({ mode: "audio", fileForm: "mp3" }), OPTIONS)).toBe("mp3");
    expect(formOf(chosen({ mode: "audio", fileForm: "mkv" }), OPTIONS)).toBe("m4a");
    expect([holdsOneSound("mp3"), holdsOneSound("m4a")]).toEqual([true, false]);
  });

  it("asks for what the type of export can use", () => {
    const soft = asked({
      mode: "soft",
      aspect: "9:16",
      height: 720,
      languages: ["is-IS", "en-US"],
    });
    expect([soft.aspect, soft.height, soft.languages]).toEqual(["original", null, ["en-US"]]);
    expect(asked({ aspect: "9:16", fit: "crop", height: 720 }).height).toBeNull();
    expect(heightsFor(OPTIONS, chosen({ aspect: "9:16", fit: "crop" }))).toEqual([480]);
    expect(asked({ fileForm: "webm" }).file_form).toBeNull();
  });

  it("remembers what belongs to no file", () => {
    remember(chosen({ mode: "audio", fileForm: "mp3", sounds: [3], part: { from: "1", to: "2" } }));
    expect(lastChoice()).toEqual(chosen({ mode: "audio", fileForm: "mp3" }));
    localStorage.setItem("export-choice", "{");
    expect(lastChoice()).toEqual(FIRST_CHOICE);
  });
});
