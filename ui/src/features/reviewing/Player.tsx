import { useEffect, useState, type RefObject } from "react";
import { t } from "../../platform/messages/reviewLinks";
import type { Review, ReviewLine } from "./data";
import { lineAt } from "./lineAt";
import styles from "./reviewing.module.css";

interface Props {
  id: string;
  review: Review;
  media: RefObject<HTMLMediaElement | null>;
  lines: readonly ReviewLine[];
  /** Called with the id of the line at the present time; undefined between lines. */
  onLine: (line: string | undefined) => void;
}

/** The file, with the line of the moment below the picture. */
export function Player({ id, review, media, lines, onLine }: Props) {
  const [shown, setShown] = useState<ReviewLine>();
  const { playback, kind } = review;

  useEffect(() => {
    const element = media.current;
    if (element === null) return;
    let frame = 0;
    const look = () => {
      const ms = element.currentTime * 1000;
      const line = lineAt(lines, ms);
      setShown(line);
      onLine(line?.id);
    };
    const follow = () => {
      look();
      if (!element.paused) frame = requestAnimationFrame(follow);
    };
    look();
    const events = ["play", "seeked", "timeupdate"];
    for (const name of events) element.addEventListener(name, name === "play" ? follow : look);
    if (!element.paused) follow();
    return () => {
      cancelAnimationFrame(frame);
      for (const name of events) element.removeEventListener(name, name === "play" ? follow : look);
    };
  }, [lines, media, onLine, playback.status]);

  if (playback.status !== "ready") {
    return (
      <section className={styles.player} aria-label={t("room.player")}>
        <p className={styles.notReady} role="status">
          {playback.error ?? t("room.preparing", { progress: playback.progress })}
        </p>
      </section>
    );
  }
  const address = `/api/review/${id}`;
  const source = { src: `${address}/media`, controls: true, preload: "metadata" as const };
  return (
    <section className={styles.player} aria-label={t("room.player")}>
      {kind === "video" ? (
        <video
          ref={media as RefObject<HTMLVideoElement>}
          {...source}
          playsInline
          poster={review.has_poster ? `${address}/poster` : undefined}
        />
      ) : (
        <audio ref={media as RefObject<HTMLAudioElement>} {...source} />
      )}
      <p className={styles.caption} dir="auto" data-testid="current-line">
        {shown?.text}
      </p>
    </section>
  );
}
