import { Checkbox, NativeSelect, TextInput } from "@mantine/core";
import { t } from "../../platform/messages/exports";
import { nameOfLanguage } from "../../platform/i18n/languageNames";
import { useLanguages } from "../../domain/languages/languages";
import { formOf, holdsOneSound, partOf, type Choice, type FileForm } from "./choice";
import type { ExportOptions } from "./data";
import styles from "./exports.module.css";

interface Props {
  choice: Choice;
  language: string;
  options: ExportOptions;
  onChange: (more: Partial<Choice>) => void;
}

/** Languages of the subtitle tracks, sound tracks, the part of the file and the file form. */
export function TrackFields({ choice, language, options, onChange }: Props) {
  const { label } = useLanguages();
  const forms = options.file_forms[choice.mode] ?? [];
  const form = formOf(choice, options);
  const others = options.captions.filter((one) => one.language !== language);
  const sounds = choice.sounds ?? options.sounds.map((sound) => sound.index);
  const isWrong = partOf(choice, options.duration_ms) === "wrong";
  const toggled = (index: number): number[] | null => {
    const next = options.sounds
      .map((sound) => sound.index)
      .filter((one) => (one === index ? !sounds.includes(one) : sounds.includes(one)));
    return next.length === options.sounds.length ? null : next;
  };
  return (
    <>
      {choice.mode === "soft" && others.length > 0 && (
        <fieldset className={styles.group}>
          <legend>{t("languages")}</legend>
          <p className={styles.hint}>{t("languagesAbout")}</p>
          <Checkbox checked disabled label={label(language)} />
          {others.map((one) => (
            <Checkbox
              key={one.language}
              label={label(one.language)}
              checked={choice.languages.includes(one.language)}
              onChange={(event) =>
                onChange({
                  languages: event.currentTarget.checked
                    ? [...choice.languages, one.language]
                    : choice.languages.filter((code) => code !== one.language),
                })
              }
            />
          ))}
        </fieldset>
      )}
      {options.sounds.length > 1 && (
        <fieldset className={styles.group}>
          <legend>{t("sounds")}</legend>
          {options.sounds.map((sound) => (
            <Checkbox
              key={sound.index}
              label={t("soundTrack", {
                language: nameOf(sound.language),
                channels: sound.channels,
                codec: sound.codec.toUpperCase(),
              })}
              checked={sounds.includes(sound.index)}
              onChange={() => onChange({ sounds: toggled(sound.index) })}
            />
          ))}
        </fieldset>
      )}
      {choice.mode === "audio" && options.sounds.length > 0 && sounds.length === 0 && (
        <p className={styles.hint} role="alert">
          {t("chooseSound")}
        </p>
      )}
      {choice.mode === "audio" && sounds.length > 1 && holdsOneSound(form) && (
        <p className={styles.hint}>{t("oneSound", { form: form.toUpperCase() })}</p>
      )}
      {choice.mode === "audio" && options.sounds.length === 0 && (
        <p className={styles.hint}>{t("noSound")}</p>
      )}
      <div className={styles.fields}>
        <NativeSelect
          label={t("fileForm")}
          data-testid="export-form"
          value={form}
          data={forms.map((form) => ({ value: form, label: form.toUpperCase() }))}
          onChange={(event) => onChange({ fileForm: event.currentTarget.value as FileForm })}
        />
      </div>
      <div className={styles.part}>
        <Checkbox
          label={t("partOnly")}
          checked={choice.part !== null}
          onChange={(event) =>
            onChange({ part: event.currentTarget.checked ? { from: "", to: "" } : null })
          }
        />
        {choice.part !== null && (
          <div className={styles.fields}>
            {(["from", "to"] as const).map((end) => (
              <TextInput
                key={end}
                label={t(end === "from" ? "partFrom" : "partTo")}
                description={t("partHint")}
                maxLength={16}
                inputMode="numeric"
                value={choice.part?.[end] ?? ""}
                error={end === "to" && isWrong ? t("partWrong") : undefined}
                onChange={(event) =>
                  onChange({
                    part: { from: "", to: "", ...choice.part, [end]: event.currentTarget.value },
                  })
                }
              />
            ))}
          </div>
        )}
      </div>
    </>
  );
}

function nameOf(code: string | null): string {
  if (code === null) return t("soundUnknown");
  return nameOfLanguage(code) ?? code;
}
