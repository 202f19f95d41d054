/** Frames as SMPTE time addresses (ST 12-1): `hh:mm:ss:ff`, and `hh:mm:ss;ff` where numbers are dropped. */

/** Rates of films and television, in frames a second. */
export const RATES = [23.976, 24, 25, 29.97, 30, 50, 59.94, 60] as const;

export interface Counting {
  /** Frames that are counted as a second: 30 for 29.97. */
  base: number;
  /** Whether numbers are left out, so that an hour of 29.97 frames a second is an hour of the clock. */
  drop: boolean;
}

const NTSC = 1_000 / 1_001;
/** Rates are known to three digits. */
const ROUNDED = 0.0006;

/** Whether numbers may be dropped at a rate: 29.97 and 59.94. There is no such counting for 23.976. */
export function canDrop(fps: number): boolean {
  const base = Math.round(fps);
  return base % 30 === 0 && base > 0 && Math.abs(base * NTSC - fps) < ROUNDED;
}

export const countingOf = (fps: number, drop: boolean): Counting => ({
  base: Math.max(1, Math.round(fps)),
  drop: drop && canDrop(fps),
});

/** Numbers left out at the start of each minute but every tenth: 2 of 30, 4 of 60. */
const droppedOf = ({ base, drop }: Counting): number => (drop ? base / 15 : 0);

/** The address of a frame, counted from 0. */
export function timecodeOf(frame: number, counting: Counting): string {
  const { base, drop } = counting;
  const dropped = droppedOf(counting);
  const minute = base * 60 - dropped;
  const tenMinutes = minute * 10 + dropped;
  const tens = Math.floor(frame / tenMinutes);
  const rest = frame % tenMinutes;
  // The first of ten minutes is whole.
  const minutes = rest < base * 60 ? 0 : 1 + Math.floor((rest - base * 60) / minute);
  const number = frame + dropped * (9 * tens + minutes);
  const pad = (value: number) => String(value).padStart(2, "0");
  const seconds = Math.floor(number / base);
  const clock = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return `${clock.map(pad).join(":")}${drop ? ";" : ":"}${pad(number % base)}`;
}

const ADDRESS = /^(?:(?:(\d{1,2})[:;.])?(\d{1,2})[:;.])?(\d{1,2})[:;.](\d{1,2})$/;
const DIGITS = /^\d{3,8}$/;

/**
 * The frame of a typed address, with or without its hours and minutes, or as digits alone (`1203` is 12 seconds and 3
 * frames). A number that is left out stands for the next one. Undefined if it is no address.
 */
export function frameOf(text: string, counting: Counting): number | undefined {
  const trimmed = text.trim();
  const spelled = DIGITS.test(trimmed)
    ? trimmed.padStart(8, "0").replace(/(..)(?=.)/g, "$1:")
    : trimmed;
  const found = ADDRESS.exec(spelled);
  if (found === null) return undefined;
  const [hours, minutes, seconds, frames] = found.slice(1).map((part) => Number(part ?? 0));
  if (hours === undefined || minutes === undefined || seconds === undefined) return undefined;
  if (frames === undefined || minutes > 59 || seconds > 59 || frames >= counting.base)
    return undefined;
  const dropped = droppedOf(counting);
  const total = hours * 60 + minutes;
  const isLeftOut = seconds === 0 && frames < dropped && minutes % 10 !== 0;
  const number = (total * 60 + seconds) * counting.base + (isLeftOut ? dropped : frames);
  return number - dropped * (total - Math.floor(total / 10));
}
