import type { MediaFile } from "../../../domain/files/data";
import type { Stage } from "./Preview";

const LARGEST_SIDE = 4_096;
/** The picture that an export gives a file without one, with the cover of its sound on it. */
const CARD = { width: 1_280, height: 720 };

type Shape = Pick<MediaFile, "width" | "height" | "poster_url">;

/** The picture that captions are drawn over. */
export function stageOf({ width, height, poster_url }: Shape): Stage {
  if (width === null || height === null || height < 1)
    return { ...CARD, isCard: poster_url === null };
  const scale = Math.min(1, LARGEST_SIDE / Math.max(width, height));
  return { width: Math.round(width * scale), height: Math.round(height * scale), isCard: false };
}
