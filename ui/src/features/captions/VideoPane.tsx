import { Text } from "@mantine/core";
import type { MediaFile } from "../files/data";
import type { Player } from "./player";
import type { Line } from "./types";

interface Props {
  file: MediaFile;
  player: Player;
  current: Line | undefined;
}

/** The picture with the caption of this moment drawn over it, as text. */
export function VideoPane({ file, player, current }: Props) {
  return (
    <div className={`stage ${file.kind === "audio" ? "stage-audio" : ""}`}>
      {file.media_url === null ? (
        <div className="stage-wait" role="status">
          <Text>The video is still being prepared for playing.</Text>
          <Text size="sm" className="quiet">
            You can read and correct the captions meanwhile.
          </Text>
        </div>
      ) : (
        <video
          ref={player.media}
          src={file.media_url}
          poster={file.poster_url ?? undefined}
          controls
          preload="metadata"
          playsInline
          aria-label={file.name}
        />
      )}
      {current !== undefined && (
        <p className="stage-caption" aria-hidden="true">
          <span>{current.text}</span>
        </p>
      )}
    </div>
  );
}
