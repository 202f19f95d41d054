/** A picture of a file that is still uploading, made in the browser and sent nowhere. */
import { t } from "../../../platform/messages/library";

export const THUMBNAIL = {
  width: 200,
  type: "image/jpeg",
  quality: 0.8,
  maxArea: 5_000_000,
  maxSide: 4_096,
} as const;

/** Frames before this are often black. Short clips use a tenth of their length. */
const SEEK_S = 1;
const WAIT_MS = 8_000;

export interface Size {
  width: number;
  height: number;
}

/**
 * The size of the picture: `THUMBNAIL.width` wide in the proportions of `source`, within what every browser's canvas
 * can hold. Undefined when there is nothing to draw.
 */
export function thumbnailSize(source: Size): Size | undefined {
  if (!(source.width > 0) || !(source.height > 0)) return undefined;
  const ratio = source.height / source.width;
  const width = Math.min(
    THUMBNAIL.width,
    source.width,
    THUMBNAIL.maxSide / Math.max(1, ratio),
    Math.sqrt(THUMBNAIL.maxArea / ratio),
  );
  return {
    width: Math.max(1, Math.round(width)),
    height: Math.max(1, Math.round(width * ratio)),
  };
}

/** An early frame of a video as a `data:` URL. Undefined where the browser cannot show the file. */
export async function videoThumbnail(file: Blob): Promise<string | undefined> {
  const address = URL.createObjectURL(file);
  const video = document.createElement("video");
  try {
    video.muted = true;
    video.preload = "metadata";
    video.src = address;
    await happens(video, "loadedmetadata");
    video.currentTime = Math.min(SEEK_S, (video.duration || 0) / 10);
    await happens(video, "seeked");
    return draw(video);
  } catch {
    // A format that this browser cannot play; the server's poster comes later.
    return undefined;
  } finally {
    video.removeAttribute("src");
    video.load();
    URL.revokeObjectURL(address);
  }
}

function happens(video: HTMLVideoElement, name: "loadedmetadata" | "seeked"): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(t("thumbnails.noName", { name }))), WAIT_MS);
    video.addEventListener(name, () => (clearTimeout(timer), resolve()), { once: true });
    video.addEventListener(
      "error",
      () => (clearTimeout(timer), reject(new Error(t("thumbnails.unplayable")))),
      {
        once: true,
      },
    );
  });
}

function draw(video: HTMLVideoElement): string | undefined {
  const size = thumbnailSize({ width: video.videoWidth, height: video.videoHeight });
  if (size === undefined) return undefined;
  const canvas = document.createElement("canvas");
  canvas.width = size.width;
  canvas.height = size.height;
  const context = canvas.getContext("2d");
  if (context === null) return undefined;
  context.drawImage(video, 0, 0, size.width, size.height);
  return canvas.toDataURL(THUMBNAIL.type, THUMBNAIL.quality);
}
