import { useCallback, useEffect, useSyncExternalStore } from "react";
import { t } from "../../platform/messages/processing";
import type { Editing } from "../editor/editing";
import { useView } from "../editor/useView";
import type { MediaFile } from "../../domain/files/data";
import { lose } from "../../platform/offline/connection";
import { getKeeping, subscribeKeeping } from "../../domain/offline/database";
import { Unsaved } from "./Unsaved";
import { useAway, useReturn } from "./useAway";
import styles from "./offline.module.css";

/** Some refusals are only a few words. */
const asSentence = (words: string): string => (/[.!?]$/.test(words) ? words : `${words}.`);

/** What somebody who edits without a connection should know; nothing while all is well. */
export function OfflineBanner({ editing, file }: { editing: Editing; file: MediaFile }) {
  const { store } = editing;
  const save = useView(store, (view) => view.save);
  const locked = useView(store, (view) => view.locked);
  const keeping = useSyncExternalStore(subscribeKeeping, getKeeping);
  const away = useAway();
  const isAway = save.kind === "failed" && save.isAway;
  useEffect(() => {
    if (isAway) lose();
  }, [isAway]);
  useReturn(useCallback(() => store.retry(), [store]));
  const count = save.kind === "failed" ? save.kept : 0;
  if (save.kind === "failed" && save.closed !== null) {
    const { closed, message: reason } = save;
    return (
      <div className={styles.banner} role="alert" data-state="closed" data-testid="offline">
        <p>{t(`offline.${closed}`, { count, reason: asSentence(reason) })}</p>
        {count > 0 && (
          <Unsaved name={file.name} written={store.written()} onDiscard={() => store.discard()} />
        )}
      </div>
    );
  }
  if (!away && keeping === "kept") return null;
  return (
    <div
      className={styles.banner}
      role="status"
      data-state={keeping === "kept" ? "away" : keeping}
      data-testid="offline"
    >
      {away && <p>{locked ? t("offline.locked") : t("offline.away")}</p>}
      {keeping !== "kept" && <p>{t(`offline.${keeping}`)}</p>}
      {away && count > 0 && <strong>{t("offline.waiting", { count })}</strong>}
    </div>
  );
}
