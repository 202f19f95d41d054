import { ActionIcon, Alert, Loader, MultiSelect, Switch, Title, Tooltip } from "@mantine/core";
import { useDeferredValue, useEffect, useMemo } from "react";
import { useSWRConfig } from "swr";
import { keys } from "../../../platform/api/keys";
import { t } from "../../../platform/messages/glossary";
import { IconBook, IconEyeOff, IconTrash } from "../../../platform/theme/icons";
import { useKnownWords, addKnownWord, removeKnownWord } from "../../../domain/glossary/words";
import { toast } from "../../../platform/notices/toast";
import { useLanguages } from "../../../domain/languages/languages";
import type { PanelProps } from "../../editor/panels/panel";
import { useView } from "../../editor/useView";
import { byName } from "../../../platform/i18n/languageNames";
import { DICTIONARIES, nameOfDictionary } from "./dictionaries";
import { spellingOf } from "./Spelling";
import { unknownWords } from "./unknownWords";
import {
  SUGGEST_KEY,
  useMoreDictionaries,
  useSpellingChoice,
  useSpellingState,
  useSpellingVersion,
} from "./useSpelling";
import styles from "./spelling.module.css";

const SHOWN_MAX = 200;
/** A dictionary is some megabytes to load. */
const ALSO_MAX = 4;

const sorted = (items: { value: string; label: string }[]) =>
  byName(items.sort((a, b) => a.label.localeCompare(b.label)));

/** A language code as the server lists it: `en-gb` is `en-GB`. */
const codeOf = (name: string): string => name.replace(/-.*/, (region) => region.toUpperCase());

/** The unknown words of the captions, most frequent first, and the words that people added. */
export default function SpellingPanel({ editing, readOnly }: PanelProps) {
  const [isOn, setOn] = useSpellingChoice();
  const [also, setAlso] = useMoreDictionaries();
  const spelling = spellingOf(editing);
  const state = useSpellingState(spelling);
  const version = useDeferredValue(useSpellingVersion(spelling));
  const language = useView(editing.store, (view) => view.captions.language);
  const lines = useDeferredValue(useView(editing.store, (view) => view.captions.lines));
  const { label } = useLanguages();
  const { mutate } = useSWRConfig();
  useEffect(() => {
    if (isOn && !readOnly) spelling.start(language, also);
  }, [isOn, readOnly, spelling, language, also]);
  const own = nameOfDictionary(language);
  const others = DICTIONARIES.filter((name) => name !== own);
  const words = useMemo(
    () => (state === "ready" ? unknownWords(lines, spelling) : []),
    // Verdicts arrive while nothing else changes.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [lines, spelling, state, version],
  );
  const add = (word: string) =>
    void addKnownWord(word, language.split("-")[0] ?? null, "user")
      .then(() => mutate(keys.knownWords))
      .catch((error: Error) => toast("error", error.message));

  return (
    <div className={styles.panel}>
      <Switch
        label={t("spelling.check")}
        description={t("spelling.checkHint")}
        checked={isOn}
        onChange={(event) => setOn(event.currentTarget.checked)}
      />
      {isOn && (
        <MultiSelect
          label={t("spelling.also")}
          description={t("spelling.alsoHint")}
          data={sorted(others.map((name) => ({ value: name, label: label(codeOf(name)) })))}
          value={also.filter((name) => others.includes(name))}
          maxValues={ALSO_MAX}
          clearable
          searchable
          disabled={state === "missing"}
          data-testid="more-dictionaries"
          onChange={setAlso}
        />
      )}
      {state === "loading" && (
        <p role="status">
          <Loader size="xs" /> {t("spelling.loading")}
        </p>
      )}
      {state === "missing" && (
        <Alert color="gray">{t("spelling.missing", { language: label(language) })}</Alert>
      )}
      {state === "failed" && <Alert color="red">{t("spelling.failed")}</Alert>}
      {state === "ready" && (
        <>
          <p role="status" data-testid="unknown-count">
            {t("spelling.count", { count: words.length })}
          </p>
          <p className="quiet">{t("spelling.menuKey", { key: SUGGEST_KEY })}</p>
          <ul className={styles.words} aria-label={t("spelling.check")}>
            {words.slice(0, SHOWN_MAX).map(({ word, lines: places }) => (
              <li key={word} className={styles.word}>
                <button
                  type="button"
                  className={styles.show}
                  aria-label={t("spelling.show", { word })}
                  onClick={() => editing.goInto(places[0]?.line, places[0]?.end)}
                >
                  <b>{word}</b>{" "}
                  <span className="quiet">{t("spelling.times", { count: places.length })}</span>
                </button>
                <Tooltip label={t("spelling.addMine")}>
                  <ActionIcon
                    aria-label={`${t("spelling.addMine")}: ${word}`}
                    onClick={() => add(word)}
                  >
                    <IconBook size={16} />
                  </ActionIcon>
                </Tooltip>
                <Tooltip label={t("spelling.ignore")}>
                  <ActionIcon
                    aria-label={`${t("spelling.ignore")}: ${word}`}
                    onClick={() => spelling.ignore(word)}
                  >
                    <IconEyeOff size={16} />
                  </ActionIcon>
                </Tooltip>
              </li>
            ))}
          </ul>
          {words.length > SHOWN_MAX && (
            <p className="quiet">{t("spelling.more", { count: words.length - SHOWN_MAX })}</p>
          )}
        </>
      )}
      <KnownWords />
    </div>
  );
}

/** The words that people added, with a way to remove them. */
function KnownWords() {
  const { data: words, mutate } = useKnownWords();
  const remove = (id: string) =>
    void removeKnownWord(id)
      .catch((error: Error) => toast("error", error.message))
      .then(() => mutate());
  return (
    <section>
      <Title order={3} size="h6">
        {t("spelling.myWords")}
      </Title>
      {words?.length === 0 && <p className="quiet">{t("spelling.noWords")}</p>}
      <ul className={styles.words} aria-label={t("spelling.myWords")}>
        {words?.map(({ id, word, scope, may_change }) => (
          <li key={id} className={styles.word}>
            <span>
              {word} {scope === "team" && <span className="quiet">({t("spelling.ofTeam")})</span>}
            </span>
            {may_change && (
              <ActionIcon aria-label={t("spelling.remove", { word })} onClick={() => remove(id)}>
                <IconTrash size={16} />
              </ActionIcon>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
