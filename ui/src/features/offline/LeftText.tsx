import { useEffect, useState } from "react";
import { keys } from "../../platform/api/keys";
import { t } from "../../platform/messages/processing";
import { unsettledStore } from "../editor/track/openTrack";
import { discardChanges, leftChanges, type LeftChanges } from "../../domain/offline/leftChanges";
import { Unsaved } from "./Unsaved";
import styles from "./offline.module.css";

interface Props {
  slug: string;
  /** Of the file, for the name of a download. */
  name: string;
  /** Only captions in this language do not open; undefined if the whole file does not. */
  language: string | undefined;
}

/** Instead of captions that do not open: what the person wrote in them and could not be saved. */
export function LeftText({ slug, name, language }: Props) {
  const [left, setLeft] = useState<LeftChanges[]>([]);
  const [isDiscarded, setDiscarded] = useState(false);
  useEffect(() => {
    const mounted = new AbortController();
    void leftChanges(slug, language, mounted.signal).then(
      (found) => mounted.signal.aborted || setLeft(found),
    );
    return () => mounted.abort();
  }, [slug, language]);
  // This page wrote it, before the captions went away.
  const store = unsettledStore(keys.captions(slug, language));
  const own = store?.written() ?? [];
  const written = [...own, ...left.flatMap((one) => one.written)];
  const count = own.length + left.reduce((sum, one) => sum + one.count, 0);
  if (count === 0 || isDiscarded) return null;
  const discard = async () => {
    store?.discard();
    await discardChanges(left);
    setDiscarded(true);
  };
  return (
    <div className={styles.left} role="alert" data-testid="left-text">
      <p>{t("offline.left", { count })}</p>
      <Unsaved name={name} written={written} onDiscard={() => void discard()} />
    </div>
  );
}
