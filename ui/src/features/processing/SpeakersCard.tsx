import { Button, Progress, Title } from "@mantine/core";
import { Link } from "react-router";
import { t } from "../../platform/messages/processing";
import type { MediaFile } from "../../domain/files/data";
import { isDetecting, useSpeakerActions, useSpeakers } from "../../domain/speakers/data";
import { detectionWords } from "../../domain/speakers/words";
import styles from "./processing.module.css";

/** Who speaks in the file, and how far the detection is; nothing where nobody has started one. */
export function SpeakersCard({ file }: { file: MediaFile }) {
  const { data } = useSpeakers(file.slug);
  const actions = useSpeakerActions(file.slug);
  if (data === undefined || data.state === "none") return null;
  const isOpen = isDetecting(data);
  return (
    <section
      className={`card ${styles.translations}`}
      aria-label={t("speakers")}
      data-testid="speakers"
    >
      <Title order={2}>{t("speakers")}</Title>
      <ul>
        <li className={styles.translation} data-state={data.state}>
          <Link to={`/captions/${file.slug}`}>
            {data.speakers.map(({ shown }) => shown).join(", ") || t("nobodyYet")}
          </Link>
          <span className={styles.translationWords} role="status">
            {detectionWords(data)}
          </span>
          {!file.may_change ? null : isOpen ? (
            <Button
              size="compact-sm"
              variant="default"
              aria-label={t("speakers.cancel")}
              onClick={() => void actions.cancel()}
            >
              {t("cancel")}
            </Button>
          ) : (
            data.state !== "ready" &&
            data.can_detect && (
              <Button
                size="compact-sm"
                variant="light"
                aria-label={t("speakers.again")}
                onClick={() => void actions.detect(null)}
              >
                {t("tryAgain")}
              </Button>
            )
          )}
          {isOpen && (
            <Progress
              value={data.progress}
              size={5}
              className={styles.translationBar}
              aria-label={t("speakers.progress", { progress: data.progress })}
            />
          )}
        </li>
      </ul>
    </section>
  );
}
