import { Alert, Button, Loader, Stack, Text, Title } from "@mantine/core";
import { useCallback, type ReactNode } from "react";
import { useLocation, useParams } from "react-router";
import { LocaleSwitch } from "../../domain/person/LocaleSwitch";
import { t } from "../../platform/messages/reviewLinks";
import { Brand } from "../../platform/page/Brand";
import { SchemeSwitch } from "../../platform/page/SchemeSwitch";
import { usePageTitle } from "../../platform/page/usePageTitle";
import { isOut, useReview } from "./data";
import { draftsOf } from "./drafts";
import { EntryForm } from "./EntryForm";
import { ReviewRoom } from "./ReviewRoom";
import styles from "./reviewing.module.css";

/** Where a review link leads: say who you are, then watch, comment and correct. */
export default function ReviewPage() {
  const { id = "" } = useParams();
  const secret = useLocation().hash.slice(1);
  const { data: review, error, mutate } = useReview(id);
  usePageTitle(review?.file ?? t("page.title"));
  const onOut = useCallback(() => void mutate(), [mutate]);

  if (review != null && !isOut(error))
    return <ReviewRoom key={id} id={id} review={review} onOut={onOut} />;
  if (error !== undefined)
    return (
      <Small>
        <Title order={1}>{t(isOut(error) ? "page.closed" : "page.failed")}</Title>
        <Alert color="yellow" role="alert">
          {error.message}
        </Alert>
        <Unsaved id={id} />
        <Button variant="default" onClick={() => void mutate()}>
          {t("tryAgain")}
        </Button>
      </Small>
    );
  if (review === undefined)
    return (
      <Small>
        <Loader aria-label={t("page.loading")} />
      </Small>
    );
  return (
    <Small>
      {secret === "" ? (
        <>
          <Title order={1}>{t("page.closed")}</Title>
          <Text role="alert">{t("page.incomplete")}</Text>
        </>
      ) : (
        <EntryForm id={id} secret={secret} onEntered={() => void mutate()} />
      )}
    </Small>
  );
}

/** What somebody typed into lines before the link ended, to take along. */
function Unsaved({ id }: { id: string }) {
  const texts = draftsOf(id);
  if (texts.length === 0) return null;
  return (
    <section aria-labelledby="unsaved">
      <Title order={2} id="unsaved" size="h4">
        {t("page.unsaved")}
      </Title>
      {texts.map((text, index) => (
        <p key={index} dir="auto" className={styles.text}>
          {text}
        </p>
      ))}
    </section>
  );
}

function Small({ children }: { children: ReactNode }) {
  return (
    <div className={styles.small}>
      <header className={styles.top}>
        <Brand />
        <span>
          <LocaleSwitch />
          <SchemeSwitch />
        </span>
      </header>
      <main className={styles.entry}>
        <Stack gap="md" align="stretch">
          {children}
        </Stack>
      </main>
    </div>
  );
}
