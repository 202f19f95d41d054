import { Alert, Button, Group, Modal, MultiSelect, SegmentedControl, Text } from "@mantine/core";
import { useEffect, useMemo, useRef, useState } from "react";
import { Link } from "react-router";
import { t } from "../../platform/messages/processing";
import type { MediaFile } from "../../domain/files/data";
import { languageName, useLanguages } from "../../domain/languages/languages";
import { termsFor, useGlossary } from "../../domain/glossary/data";
import { AVAILABLE, choicesOf, suggestionsOf, TRANSLATED } from "./choices";
import type { Formality } from "../../domain/translations/types";
import {
  useTargets,
  useTranslationActions,
  useTranslationModel,
  useTranslations,
} from "../../domain/translations/data";
import styles from "./translations.module.css";

const FORMALITIES: { value: Formality; label: string }[] = [
  { value: "default", label: t("translations.caption.original") },
  { value: "formal", label: t("translations.formal") },
  { value: "informal", label: t("translations.informal") },
];

interface Props {
  file: MediaFile;
  onClose: () => void;
  /** The codes of the languages that are being translated now. */
  onStarted?: (languages: string[]) => void;
}

/** Translate the captions of a file into one or several languages. */
export default function TranslateDialog({ file, onClose, onStarted }: Props) {
  const { label } = useLanguages();
  const { data: targets, error, mutate } = useTargets(file.language);
  const { data: translations } = useTranslations(file.slug);
  const actions = useTranslationActions(file.slug);
  const [chosen, setChosen] = useState<string[]>();
  const [formality, setFormality] = useState<Formality>("default");
  const [busy, setBusy] = useState(false);
  const groups = useMemo(
    () => choicesOf(targets ?? [], translations ?? []),
    [targets, translations],
  );
  const suggestions = suggestionsOf(groups, navigator.languages, file.language);
  // The likeliest language is chosen already; a person who wants another one replaces it.
  const languages = chosen ?? suggestions.slice(0, 1);
  const loaded = targets !== undefined && translations !== undefined;
  const works = groups.some(({ group }) => group === AVAILABLE);
  const canChoose = loaded && works;
  // What is off takes no focus: until the languages are there, the dialog's first button has it.
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (canChoose) input.current?.focus();
  }, [canChoose]);
  const more = suggestions.filter((code) => !languages.includes(code));
  const nameOf = (code: string) =>
    languageName(code, targets?.find(({ value }) => value === code)?.label ?? label(code));

  const viaOf = (code: string) => targets?.find(({ value }) => value === code)?.via ?? null;

  const start = async () => {
    setBusy(true);
    const done = await actions.translate(languages, formality);
    setBusy(false);
    if (!done) return;
    onClose();
    onStarted?.(languages);
  };

  return (
    <Modal opened onClose={onClose} title={t("translations.translateCaptions")} size={540}>
      <div className={styles.dialog}>
        {error !== undefined && (
          <Alert color="red" role="alert">
            {error.message}{" "}
            <Button size="compact-sm" color="red" onClick={() => void mutate()}>
              {t("translations.tryAgain")}
            </Button>
          </Alert>
        )}
        <div>
          <MultiSelect
            label={t("translations.from", { language: label(file.language) })}
            placeholder={languages.length === 0 ? t("translations.chooseLanguages") : undefined}
            data={groups}
            value={languages}
            onChange={setChosen}
            searchable
            clearable
            hidePickedOptions
            disabled={!canChoose}
            maxDropdownHeight={300}
            nothingFoundMessage={t("translations.language.none")}
            renderOption={({ option }) => <Choice label={option.label} via={viaOf(option.value)} />}
            clearButtonProps={{ "aria-label": t("translations.removeAll") }}
            ref={input}
            data-autofocus={canChoose || undefined}
            openOnFocus={false}
          />
          {more.length > 0 && (
            <div
              className={styles.suggestions}
              role="group"
              aria-label={t("translations.suggestedLanguages")}
            >
              {more.map((code) => (
                <Button
                  key={code}
                  size="compact-sm"
                  variant="default"
                  onClick={() => setChosen([...languages, code])}
                >
                  + {nameOf(code)}
                </Button>
              ))}
            </div>
          )}
        </div>
        {loaded && !works && (
          <Alert color="yellow" role="status" data-testid="no-targets">
            {groups.some(({ group }) => group === TRANSLATED)
              ? t("translations.all.done")
              : (targets.find(({ reason }) => reason !== null)?.reason ??
                t("translations.model.none"))}
          </Alert>
        )}
        <div>
          <Text size="sm" fw={500} id="formality" mb={4}>
            {t("translations.caption.address")}
          </Text>
          <SegmentedControl
            fullWidth
            aria-labelledby="formality"
            data={FORMALITIES}
            value={formality}
            onChange={(value) => setFormality(value as Formality)}
          />
        </div>
        <GlossaryFact from={file.language} to={languages} nameOf={nameOf} />
        <EngineFact />
      </div>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose}>
          {t("translations.cancel")}
        </Button>
        <Button
          loading={busy}
          disabled={!loaded || languages.length === 0}
          onClick={() => void start()}
          data-testid="start-translation"
        >
          {languages.length < 2
            ? languages[0] === undefined
              ? t("translations.translate")
              : t("translations.translateInto", { language: nameOf(languages[0]) })
            : t("translations.several", { languages: languages.length })}
        </Button>
      </Group>
    </Modal>
  );
}

/** A language, and the model that would translate into it. */
function Choice({ label, via }: { label: string; via: string | null }) {
  return (
    <span className={styles.choice}>
      {label}
      {via !== null && <small className="quiet">{via}</small>}
    </span>
  );
}

/** Which model will translate, and what to expect of it. */
function EngineFact() {
  const model = useTranslationModel();
  if (model === undefined) return null;
  const { label, note, state, sentence } = model;
  return (
    <div className={styles.fact} data-testid="translation-engine">
      <span>
        {label === null ? t("translations.model") : t("translations.modelLabel", { label })}
      </span>
      {note !== null && <p>{note}</p>}
      {sentence !== null && state !== "ready" && <p>{sentence}</p>}
      {state === "idle" && sentence === null && <p>{t("translations.model.cold")}</p>}
    </div>
  );
}

interface GlossaryFactProps {
  from: string;
  to: string[];
  nameOf: (code: string) => string;
}

/** How many terms of the glossary will be used, by language where the number differs. */
function GlossaryFact({ from, to, nameOf }: GlossaryFactProps) {
  const { data: terms } = useGlossary();
  if (terms === undefined) return null;
  const counts = to.map((code) => ({ code, count: termsFor(terms, from, code).length }));
  const same = new Set(counts.map(({ count }) => count)).size <= 1;
  const count = counts[0]?.count ?? 0;
  return (
    <div className={styles.fact} data-testid="glossary-fact">
      <span>{t("translations.glossary")}</span>
      <p>
        {same
          ? count === 0
            ? t("translations.glossary.none")
            : t("translations.glossary.used", { count })
          : t("translations.glossary.count", {
              counts: counts.map((one) => `${nameOf(one.code)}: ${one.count}`).join(", "),
            })}{" "}
        <Link to="/glossary" className={styles.link}>
          {count === 0 ? t("translations.addTerms") : t("translations.glossary.open")}
        </Link>
      </p>
    </div>
  );
}
