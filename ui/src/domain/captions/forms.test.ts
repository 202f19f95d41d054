import { describe, expect, it } from "vitest";
import type { CaptionForm } from "./types";
import { accepted, formOfName, isFormat } from "./forms";

const form = (id: string, suffixes: string[], is_read = true): CaptionForm => ({
  id,
  label: id,
  suffixes,
  group: "subtitles",
  is_read,
  is_written: true,
  counts_frames: id === "stl",
  rolls_up: false,
});
const FORMS = [form("srt", [".srt"]), form("stl", [".stl"]), form("docx", [".docx"], false)];

describe("forms of caption files", () => {
  it("are told by the name of the file", () => {
    expect(formOfName("Talk.SRT", FORMS)?.id).toBe("srt");
    expect(formOfName("talk.en.stl", FORMS)?.counts_frames).toBe(true);
    expect(formOfName("talk.docx", FORMS)).toBeUndefined();
    expect(formOfName("talk", FORMS)).toBeUndefined();
  });

  it("fill the file chooser with what can be imported", () => {
    expect(accepted(FORMS)).toBe(".srt,.stl,text/plain");
  });

  it("are known to the download menu", () => {
    expect(["ttml", "mpl2"].map(isFormat)).toEqual([true, false]);
  });
});
