import { Text, Title } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { Link } from "react-router";
import { linePath } from "../../domain/captions/trackPath";
import { t } from "../../platform/messages/processing";
import { useCaptions } from "../editor/track/useCaptions";
import { isWorking, type MediaFile } from "../../domain/files/data";
import { clock } from "../../domain/files/format";
import styles from "./processing.module.css";

/** People watch the newest lines; the whole list is in the editor. */
const SHOWN = 60;
const NEAR_END_PX = 80;

/**
 * The lines as they are transcribed; each leads to itself in the editor. The list follows the newest line until the person
 * scrolls up.
 */
export function LiveLines({ file }: { file: MediaFile }) {
  const { data: captions } = useCaptions({ slug: file.slug });
  const box = useRef<HTMLOListElement>(null);
  const [atEnd, setAtEnd] = useState(true);
  const working = isWorking(file);
  const lines = captions?.lines ?? [];
  const shown = lines.slice(-SHOWN);

  const count = lines.length;
  useEffect(() => {
    const list = box.current;
    if (working && atEnd && list !== null) list.scrollTop = list.scrollHeight;
  }, [count, atEnd, working]);

  if (!working && count === 0 && file.status !== "completed") return null;
  return (
    <section className={`card ${styles.live}`} aria-label={t("captions.title")}>
      <header className={styles.liveHead}>
        <Title order={2}>{working ? t("captions.title") : t("captions")}</Title>
        <span className="quiet tabular" data-testid="live-count">
          {t("count", { count })}
        </span>
      </header>
      {count === 0 ? (
        <div className={styles.liveNone}>
          {working && <Listening />}
          <Text className="quiet">{working ? t("captions.waiting") : t("captions.none")}</Text>
        </div>
      ) : (
        <ol
          ref={box}
          className={styles.liveLines}
          aria-label={t("lines")}
          onScroll={({ currentTarget: list }) =>
            setAtEnd(list.scrollHeight - list.scrollTop - list.clientHeight < NEAR_END_PX)
          }
        >
          {shown.map((line) => (
            <li key={line.start_ms} data-testid="live-line">
              <Link
                to={linePath(file.slug, line)}
                title={file.may_change ? t("correctLine") : t("openLine")}
              >
                <span className={`${styles.liveTime} tabular`}>{clock(line.start_ms)}</span>
                <span dir="auto">{line.text}</span>
              </Link>
            </li>
          ))}
          {working && (
            <li aria-hidden="true" className={styles.liveNext}>
              <span />
              <Listening />
            </li>
          )}
        </ol>
      )}
      <p className="visually-hidden" role="status">
        {working ? "" : count === 0 ? "" : t("captions.finished", { count })}
      </p>
    </section>
  );
}

function Listening() {
  return (
    <span className={styles.listening} aria-hidden="true">
      <i />
      <i />
      <i />
      <i />
    </span>
  );
}
