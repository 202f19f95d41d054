import { Button, NativeSelect, Text, Title } from "@mantine/core";
import { useCallback, useMemo, useRef, useState } from "react";
import { LocaleSwitch } from "../../domain/person/LocaleSwitch";
import { useLanguages } from "../../domain/languages/languages";
import { day } from "../../domain/files/format";
import { t } from "../../platform/messages/reviewLinks";
import { toast } from "../../platform/notices/toast";
import { Brand } from "../../platform/page/Brand";
import { SchemeSwitch } from "../../platform/page/SchemeSwitch";
import { leaveReview, useReviewCaptions, useReviewNotes, type Review } from "./data";
import { forgetDrafts } from "./drafts";
import { Lines } from "./Lines";
import { Player } from "./Player";
import styles from "./reviewing.module.css";

interface Props {
  id: string;
  review: Review;
  /** The link has ended, or the reviewer has left. */
  onOut: () => void;
}

/** A file under review: the player, and beside it the captions with notes. */
export function ReviewRoom({ id, review, onOut }: Props) {
  const [language, setLanguage] = useState(review.languages[0]?.language);
  const { data: captions, error, mutate } = useReviewCaptions(id, language, onOut);
  const { notes, actions } = useReviewNotes(id, language);
  const languages = useLanguages();
  const media = useRef<HTMLMediaElement>(null);
  const [at, setAt] = useState<string>();
  const lines = useMemo(() => captions?.lines ?? [], [captions]);
  const play = useCallback((ms: number) => {
    const element = media.current;
    if (element === null) return;
    element.currentTime = ms / 1000;
    void element.play().catch(() => undefined);
  }, []);
  const leave = async () => {
    try {
      await leaveReview(id);
    } catch (problem) {
      toast("error", (problem as Error).message);
      return;
    }
    forgetDrafts(id);
    onOut();
  };

  return (
    <div className={styles.room}>
      <header className={styles.top}>
        <Brand compact />
        <div className={styles.names}>
          <Title order={1} size="h3" lineClamp={1} title={review.file}>
            {review.file}
          </Title>
          <Text size="sm" className="quiet">
            {t("room.facts", {
              by: review.by,
              name: review.name,
              until: day(review.expires_at),
            })}
          </Text>
        </div>
        <span className={styles.tools}>
          {review.languages.length > 1 && (
            <NativeSelect
              aria-label={t("room.language")}
              value={language}
              onChange={(event) => setLanguage(event.currentTarget.value)}
              data={review.languages.map((each) => ({
                value: each.language,
                label: languages.label(each.language),
              }))}
            />
          )}
          <Button variant="default" size="sm" onClick={() => void leave()}>
            {t("room.leave")}
          </Button>
          <LocaleSwitch />
          <SchemeSwitch />
        </span>
      </header>
      <main className={styles.work}>
        <Player id={id} review={review} media={media} lines={lines} onLine={setAt} />
        <section className={styles.lines} aria-label={t("room.captions")}>
          {captions === undefined ? (
            error === undefined ? (
              <p className="quiet">{t("page.loading")}</p>
            ) : (
              <p role="alert" className="danger-text">
                {error.message}{" "}
                <Button variant="subtle" size="compact-sm" onClick={() => void mutate()}>
                  {t("tryAgain")}
                </Button>
              </p>
            )
          ) : lines.length === 0 ? (
            <p className="quiet">{review.is_live ? t("room.live") : t("room.empty")}</p>
          ) : (
            <Lines
              key={language}
              id={id}
              rights={review.rights}
              language={language ?? captions.language}
              revision={captions.revision}
              lines={lines}
              notes={notes ?? []}
              actions={actions}
              current={at}
              onPlay={play}
              onSaved={(saved) =>
                void mutate(
                  (held) =>
                    held?.lines == null
                      ? held
                      : {
                          ...held,
                          lines: held.lines.map(
                            (line) => saved.lines.find(({ id: one }) => one === line.id) ?? line,
                          ),
                        },
                  { revalidate: true },
                )
              }
            />
          )}
        </section>
      </main>
    </div>
  );
}
