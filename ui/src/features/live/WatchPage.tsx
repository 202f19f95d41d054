import { ActionIcon, Alert, Button, Group, NativeSelect, Switch } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { useEffect, useRef, useState } from "react";
import { useParams, useSearchParams } from "react-router";
import { t } from "../../platform/messages/live";
import { nameOfLanguage } from "../../platform/i18n/languageNames";
import { Brand } from "../../platform/page/Brand";
import { usePageTitle } from "../../platform/page/usePageTitle";
import { IconArrowDown, IconMinus, IconPlus } from "../../platform/theme/icons";
import { paragraphsOf } from "./data";
import { useWatched, type Watched } from "./watching";
import styles from "./watch.module.css";

const SIZES = [1, 1.5, 2, 3, 4.5];
const FIRST_SIZE = 2;
const NEAR_END_PX = 120;
/** So many of the last words stand over a picture. */
const OVERLAY_WORDS = 22;

/** What anybody reads who has the link: large, in any contrast, on a phone, or over the picture of a broadcast. */
export default function WatchPage() {
  const { token = "" } = useParams();
  const [search] = useSearchParams();
  const wanted = search.get("language") ?? undefined;
  const watched = useWatched(token, wanted);
  // What is not translated, or no longer, is read as it is spoken.
  const isThere = watched.watch?.translations.includes(wanted ?? "") ?? true;
  const language = isThere ? wanted : undefined;
  usePageTitle(watched.watch?.name ?? t("title"));
  return search.has("overlay") ? (
    <Overlay watched={watched} search={search} language={language} />
  ) : (
    <Reading watched={watched} language={language} />
  );
}

interface Props {
  watched: Watched;
  /** Of a translation. */
  language: string | undefined;
}

/** For OBS or vMix: the last words on nothing. `?overlay&size=48&color=ffff00&language=es`. */
function Overlay({ watched, search, language }: Props & { search: URLSearchParams }) {
  useEffect(() => {
    document.documentElement.dataset["overlay"] = "";
    return () => void delete document.documentElement.dataset["overlay"];
  }, []);
  const size = Number(search.get("size"));
  const color = search.get("color") ?? "";
  const said = language === undefined ? watched.words : watched.lines.slice(-OVERLAY_WORDS);
  const words = said.flatMap(({ text }) => text.split(/\s+/)).slice(-OVERLAY_WORDS);
  return (
    <main
      className={styles.overlay}
      data-testid="overlay"
      lang={language ?? watched.watch?.language}
    >
      <p
        dir="auto"
        style={{
          ...(size > 0 ? { fontSize: `${size}px` } : {}),
          ...(/^[0-9a-f]{6}$/i.test(color) ? { color: `#${color}` } : {}),
        }}
      >
        {words.join(" ")}
      </p>
    </main>
  );
}

function Reading({ watched: { watch, words, lines, closed }, language }: Props) {
  const [size, setSize] = useLocalStorage({
    key: "sagascript.watch.size",
    defaultValue: FIRST_SIZE,
  });
  const [isStrong, setStrong] = useLocalStorage({
    key: "sagascript.watch.contrast",
    defaultValue: false,
  });
  const box = useRef<HTMLDivElement>(null);
  const [atEnd, setAtEnd] = useState(true);
  const paragraphs = paragraphsOf(language === undefined ? words : lines);
  const toEnd = () => box.current?.scrollTo({ top: box.current.scrollHeight });
  useEffect(() => {
    if (atEnd) toEnd();
  }, [words, lines, atEnd, size]);
  const step = (by: number) => setSize(Math.max(0, Math.min(SIZES.length - 1, size + by)));
  return (
    <div className={styles.watch} data-strong={isStrong || undefined}>
      <header>
        <Brand compact />
        <h1>{watch?.name ?? t("title")}</h1>
        <Group gap="xs">
          {watch !== undefined && watch.translations.length > 0 && (
            <LanguageChoice watch={watch} language={language} />
          )}
          <Switch
            size="sm"
            label={t("watch.contrast")}
            checked={isStrong}
            onChange={(event) => setStrong(event.currentTarget.checked)}
          />
          <Group gap="xs" wrap="nowrap">
            <ActionIcon
              variant="default"
              size="lg"
              aria-label={t("watch.smaller")}
              disabled={size <= 0}
              onClick={() => step(-1)}
            >
              <IconMinus size={18} />
            </ActionIcon>
            <ActionIcon
              variant="default"
              size="lg"
              aria-label={t("watch.larger")}
              disabled={size >= SIZES.length - 1}
              onClick={() => step(1)}
            >
              <IconPlus size={18} />
            </ActionIcon>
          </Group>
        </Group>
      </header>
      {closed !== "" && (
        <Alert color="yellow" role="alert" m="md">
          {closed}
        </Alert>
      )}
      <main
        ref={box}
        className={styles.text}
        role="log"
        tabIndex={0}
        aria-label={t("text")}
        lang={language ?? watch?.language}
        style={{ fontSize: `${SIZES[size] ?? 1}rem` }}
        onScroll={({ currentTarget: shown }) =>
          setAtEnd(shown.scrollHeight - shown.scrollTop - shown.clientHeight < NEAR_END_PX)
        }
      >
        {paragraphs.length === 0 && closed === "" && <p>{t("watch.waiting")}</p>}
        {paragraphs.map(({ start_ms, text }) => (
          <p key={start_ms} dir="auto" data-testid="watch-text">
            {text}
          </p>
        ))}
        {watch?.is_over === true && <p className={styles.over}>{t("watch.over")}</p>}
      </main>
      {!atEnd && (
        <Button
          className={styles.toEnd}
          leftSection={<IconArrowDown size={18} />}
          onClick={toEnd}
          data-testid="to-end"
        >
          {t("watch.toEnd")}
        </Button>
      )}
    </div>
  );
}

/** As it is spoken, or one of its translations. */
function LanguageChoice({
  watch,
  language,
}: {
  watch: NonNullable<Watched["watch"]>;
  language: string | undefined;
}) {
  const [, setSearch] = useSearchParams();
  const choose = (code: string) =>
    setSearch(
      (search) => {
        if (code === watch.language) search.delete("language");
        else search.set("language", code);
        return search;
      },
      { replace: true },
    );
  return (
    <NativeSelect
      aria-label={t("watch.language")}
      data={[watch.language, ...watch.translations].map((code) => ({
        value: code,
        label: nameOfLanguage(code) ?? code,
      }))}
      value={language ?? watch.language}
      onChange={(event) => choose(event.currentTarget.value)}
      data-testid="watch-language"
    />
  );
}
