import { ActionIcon, Alert, Button, Group, Switch } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { useEffect, useRef, useState } from "react";
import { useParams, useSearchParams } from "react-router";
import { t } from "../../platform/messages/live";
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
  const watched = useWatched(token);
  usePageTitle(watched.watch?.name ?? t("title"));
  return search.has("overlay") ? (
    <Overlay watched={watched} search={search} />
  ) : (
    <Reading watched={watched} />
  );
}

/** For OBS or vMix: the last words on nothing. `?overlay&size=48&color=ffff00`. */
function Overlay({ watched, search }: { watched: Watched; search: URLSearchParams }) {
  useEffect(() => {
    document.documentElement.dataset["overlay"] = "";
    return () => void delete document.documentElement.dataset["overlay"];
  }, []);
  const size = Number(search.get("size"));
  const color = search.get("color") ?? "";
  const words = watched.words.slice(-OVERLAY_WORDS);
  return (
    <main className={styles.overlay} data-testid="overlay" lang={watched.watch?.language}>
      <p
        dir="auto"
        style={{
          ...(size > 0 ? { fontSize: `${size}px` } : {}),
          ...(/^[0-9a-f]{6}$/i.test(color) ? { color: `#${color}` } : {}),
        }}
      >
        {words.map(({ text }) => text).join(" ")}
      </p>
    </main>
  );
}

function Reading({ watched: { watch, words, closed } }: { watched: Watched }) {
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
  const paragraphs = paragraphsOf(words);
  const toEnd = () => box.current?.scrollTo({ top: box.current.scrollHeight });
  useEffect(() => {
    if (atEnd) toEnd();
  }, [words, atEnd, size]);
  const step = (by: number) => setSize(Math.max(0, Math.min(SIZES.length - 1, size + by)));
  return (
    <div className={styles.watch} data-strong={isStrong || undefined}>
      <header>
        <Brand compact />
        <h1>{watch?.name ?? t("title")}</h1>
        <Group gap="xs" wrap="nowrap">
          <Switch
            size="sm"
            label={t("watch.contrast")}
            checked={isStrong}
            onChange={(event) => setStrong(event.currentTarget.checked)}
          />
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
        lang={watch?.language}
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
