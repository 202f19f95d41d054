import { useEffect } from "react";
import { t } from "../../platform/messages/processing";
import { useAway } from "./useAway";
import styles from "./offline.module.css";

/** Over a medium that did not load: says so while the server cannot be reached, and loads it once it can. */
export function MediaAway({ media }: { media: HTMLMediaElement }) {
  const away = useAway();
  useEffect(() => {
    if (!away) media.load();
  }, [away, media]);
  if (!away) return null;
  return (
    <p className={styles.media} role="status" data-testid="media-away">
      {t("offline.mediaAway")}
    </p>
  );
}
