import { expect, it } from "vitest";
import { stageOf } from "./stage";

it.each([
  [
    { width: null, height: null, poster_url: null },
    { width: 1280, height: 720, isCard: true },
  ],
  [
    { width: null, height: null, poster_url: "/p" },
    { width: 1280, height: 720, isCard: false },
  ],
  [
    { width: 640, height: 360, poster_url: "/p" },
    { width: 640, height: 360, isCard: false },
  ],
  [
    { width: 8192, height: 4096, poster_url: "/p" },
    { width: 4096, height: 2048, isCard: false },
  ],
])("captions of %o are drawn over %o", (file, stage) => expect(stageOf(file)).toEqual(stage));
