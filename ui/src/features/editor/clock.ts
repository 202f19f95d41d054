/** How the editor shows and reads times of captions: in milliseconds, or as frames of the video. */
import { createContext, useContext, useMemo } from "react";
import type { MediaFile } from "../../domain/files/data";
import { parseStamp, stamp } from "../../domain/captions/times";
import { countingOf, frameOf, timecodeOf } from "../../domain/captions/timecode";
import { formatLocale } from "../../platform/i18n/locale";
import { t } from "../../platform/messages/editing";
import type { EditorSettings } from "./useEditorSettings";
import type { Frames } from "./playback/Frames";
import type { Playback } from "./playback/Playback";

const STEP_MS = 100;
const SECOND_MS = 1_000;

const SECONDS = new Intl.NumberFormat(formatLocale, {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});

/** An address whose sign says that numbers are left out; some programs write a dot. */
const DROPS = /[;.]\d\d$/;

export interface Clock {
  kind: EditorSettings["clock"];
  show: (ms: number) => string;
  /** Milliseconds; undefined if the text is no time. A time in milliseconds is understood by either clock. */
  read: (text: string) => number | undefined;
  /** What an arrow key makes of a time: a tenth of a second or a frame, or a second with Shift. */
  stepped: (ms: number, direction: 1 | -1, isBig: boolean) => number;
  /** The time between two moments, in a few letters. */
  gap: (ms: number) => string;
  /** How a time is written, for who has written another thing. */
  hint: string;
  /** The frames that times meet; undefined for milliseconds. */
  frames: Frames | undefined;
}

const MILLISECONDS: Clock = {
  kind: "ms",
  show: stamp,
  read: parseStamp,
  stepped: (ms, direction, isBig) => Math.max(0, ms + direction * (isBig ? SECOND_MS : STEP_MS)),
  gap: (ms) => SECONDS.format(ms / 1000),
  hint: t("clock.hintMs"),
  frames: undefined,
};

/**
 * A clock of frames. `frames` has their starts, which the picture on screen may shift a little; `fps` their number;
 * `first` is the address of the first one, where the file names it.
 */
function frameClock(frames: Frames, fps: number, drop: boolean, first: string | null): Clock {
  const counting = first === null ? countingOf(fps, drop) : countingOf(fps, DROPS.test(first));
  const begins = first === null ? 0 : (frameOf(first, counting) ?? 0);
  return {
    kind: "frames",
    show: (ms) => timecodeOf(begins + frames.from(ms), counting),
    read: (text) => {
      const frame = frameOf(text, counting);
      return frame === undefined ? parseStamp(text) : frames.start(Math.max(0, frame - begins));
    },
    stepped: (ms, direction, isBig) =>
      frames.moved(ms, direction * (isBig ? SECOND_MS : frames.lengthMs)),
    gap: (ms) => t("clock.frames", { count: Math.round(ms / frames.lengthMs) }),
    hint: t("clock.hintFrames", {
      example: timecodeOf(begins + counting.base * 62 + 12, counting),
    }),
    frames,
  };
}

export const ClockContext = createContext<Clock>(MILLISECONDS);

export const useClock = (): Clock => useContext(ClockContext);

/** The clock that the person has chosen; milliseconds where the file has no frames. */
export function useClockOf(
  playback: Playback,
  { fps, timecode }: Pick<MediaFile, "fps" | "timecode">,
  { clock, drop_frame, from_timecode }: EditorSettings,
): Clock {
  return useMemo(() => {
    const frames = playback.framesAt(fps);
    return clock === "ms" || frames === undefined || fps === null
      ? MILLISECONDS
      : frameClock(frames, fps, drop_frame, from_timecode ? timecode : null);
  }, [playback, fps, timecode, clock, drop_frame, from_timecode]);
}
