/** Whether text can be read, by the contrast of WCAG 2.2. */
import { t } from "../../../platform/messages/editing";
import type { CaptionStyle } from "../../editor/style/data";

const LEAST = 4.5;
const LEAST_OPACITY = 0.5;

const channel = (value: number): number => {
  const share = value / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
};

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
    channel(Number.parseInt(colour.slice(at, at + 2), 16)),
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The ratio of two colours written as `#rrggbb`, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** A sentence when the text of a style is hard to read; null when it is not. */
export function contrastProblem(style: CaptionStyle): string | null {
  const hasBox = style.box !== "none";
  const hasOutline = style.outline >= 1 && style.box !== "rows";
  if (!hasBox && !hasOutline) return t("style.nothingBehind");
  if (hasBox && style.box_opacity < LEAST_OPACITY && !hasOutline) return t("style.thinBox");
  const [behind, colour] =
    hasBox && style.box_opacity >= LEAST_OPACITY
      ? (["box", style.box_colour] as const)
      : (["outline", style.outline_colour] as const);
  const texts = [style.colour, ...Object.values(style.speaker_colours)];
  if (style.karaoke !== "none") texts.push(style.karaoke_colour);
  const least = Math.min(...texts.map((text) => contrast(text, colour)));
  const ratio = Math.floor(least * 10) / 10;
  return least < LEAST ? t("style.lowContrast", { behind, ratio }) : null;
}
