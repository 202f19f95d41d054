import { Title } from "@mantine/core";
import { memo, useEffect, useMemo, useRef, useState } from "react";
import { clock } from "../../domain/files/format";
import { t } from "../../platform/messages/live";
import { paragraphsOf, type LiveWord } from "./data";
import styles from "./live.module.css";

const NEAR_END_PX = 80;

/** What was said. It follows the newest words until the person scrolls up. Words that may still change are pale. */
export const LiveTextView = memo(function LiveTextView({
  words,
  outlook,
  isOver,
}: {
  words: readonly LiveWord[];
  outlook: string;
  isOver: boolean;
}) {
  const paragraphs = useMemo(() => paragraphsOf(words), [words]);
  const box = useRef<HTMLDivElement>(null);
  const [atEnd, setAtEnd] = useState(true);
  useEffect(() => {
    if (atEnd && box.current !== null) box.current.scrollTop = box.current.scrollHeight;
  }, [words, outlook, atEnd]);
  return (
    <section className={`card ${styles.text}`} aria-label={t("text")}>
      <Title order={2} size="h4">
        {t("text")}
      </Title>
      <div
        ref={box}
        className={styles.words}
        role="log"
        tabIndex={0}
        aria-label={t("text")}
        onScroll={({ currentTarget: shown }) =>
          setAtEnd(shown.scrollHeight - shown.scrollTop - shown.clientHeight < NEAR_END_PX)
        }
      >
        {paragraphs.length === 0 && outlook === "" && (
          <p className="quiet">{isOver ? t("quiet") : t("starting")}</p>
        )}
        {paragraphs.map(({ start_ms, text }) => (
          <p key={start_ms} dir="auto" data-testid="live-final">
            <span className={`${styles.time} tabular`} aria-hidden="true">
              {clock(start_ms)}
            </span>
            {text}
          </p>
        ))}
        {/* A screen reader reads what is final, once. */}
        {outlook !== "" && (
          <p dir="auto" aria-hidden="true" className={styles.outlook} data-testid="live-outlook">
            {outlook}
          </p>
        )}
      </div>
    </section>
  );
});
