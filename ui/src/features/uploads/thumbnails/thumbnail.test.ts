import { describe, expect, it } from "vitest";
import { THUMBNAIL, thumbnailSize } from "./thumbnail";

describe("the size of a thumbnail", () => {
  it.each([
    ["wide", { width: 1920, height: 1080 }, { width: 200, height: 113 }],
    ["upright", { width: 1080, height: 1920 }, { width: 200, height: 356 }],
    ["smaller than a thumbnail", { width: 64, height: 48 }, { width: 64, height: 48 }],
  ])("%s", (_name, source, size) => expect(thumbnailSize(source)).toEqual(size));

  it("stays within what a canvas can hold", () => {
    const size = thumbnailSize({ width: 100, height: 100_000 });
    expect(size?.height).toBeLessThanOrEqual(THUMBNAIL.maxSide);
    expect((size?.width ?? 0) * (size?.height ?? 0)).toBeLessThanOrEqual(THUMBNAIL.maxArea);
  });

  it("is nothing for sound", () => {
    expect(thumbnailSize({ width: 0, height: 0 })).toBeUndefined();
  });
});
