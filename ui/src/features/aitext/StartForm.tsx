import { Alert, Button, Checkbox, Group, Loader, Select, Text } from "@mantine/core";
import { useState } from "react";
import { t } from "../../platform/messages/aitext";
import { WithCode } from "../../platform/page/WithCode";
import { optionsOf } from "../../domain/languages/languages";
import { IconLanguage } from "../../platform/theme/icons";
import { isOpen, useOptions, type AiText, type TextType } from "./data";
import styles from "./aitext.module.css";

interface Props {
  slug: string;
  texts: AiText[];
  /** Resolves to whether the texts were queued. */
  onWrite: (types: TextType[], language: string) => Promise<boolean>;
}

/** Choose what to write and in which language. What cannot be written is shown with its reason. */
export function StartForm({ slug, texts, onWrite }: Props) {
  const { data: options, error, mutate } = useOptions(slug);
  const [chosen, setChosen] = useState<TextType[]>();
  const [picked, setPicked] = useState<string>();
  const [busy, setBusy] = useState(false);

  if (error !== undefined) {
    return (
      <Alert color="red" role="alert">
        {error.message}{" "}
        <Button size="compact-sm" variant="subtle" onClick={() => void mutate()}>
          {t("tryAgain")}
        </Button>
      </Alert>
    );
  }
  if (options === undefined) return <Loader aria-label={t("loading")} m="md" />;

  const language = picked ?? options.language;
  const held = (type: TextType) =>
    texts.find((text) => text.type === type && text.language === language);
  const isFree = (type: TextType) => {
    const text = held(type);
    return text === undefined || !isOpen(text);
  };
  const usable = options.types.filter(({ value, available }) => available && isFree(value));
  const preset = usable.find(({ value }) => held(value) === undefined)?.value;
  const types = (chosen ?? (preset === undefined ? [] : [preset])).filter((type) =>
    usable.some(({ value }) => value === type),
  );
  const toggle = (type: TextType, on: boolean) =>
    setChosen(on ? [...types, type] : types.filter((one) => one !== type));

  const start = async () => {
    if (language === null) return;
    setBusy(true);
    const done = await onWrite(types, language);
    setBusy(false);
    if (done) setChosen(undefined);
  };

  return (
    <form
      className={styles.start}
      onSubmit={(event) => {
        event.preventDefault();
        void start();
      }}
    >
      {options.reason !== null && (
        <Alert color="yellow" role="status">
          <WithCode text={options.reason} />
        </Alert>
      )}
      <fieldset className={styles.types}>
        <legend>{t("texts")}</legend>
        {options.types.map(({ value, label, description, reason }) => {
          const text = held(value);
          const note = reason ?? (text === undefined ? null : noteOf(text));
          return (
            <Checkbox
              key={value}
              name="types"
              value={value}
              label={label}
              description={note === null ? description : `${description} ${note}`}
              checked={types.includes(value)}
              disabled={!usable.some((one) => one.value === value)}
              onChange={(event) => toggle(value, event.currentTarget.checked)}
            />
          );
        })}
      </fieldset>
      <Select
        label={t("language.label")}
        data={optionsOf(options.languages.map((one) => ({ ...one, country: null })))}
        value={language}
        onChange={(code) => code !== null && setPicked(code)}
        searchable
        allowDeselect={false}
        selectFirstOptionOnChange
        leftSection={<IconLanguage size={17} />}
        nothingFoundMessage={t("language.none")}
        maxDropdownHeight={260}
      />
      {options.note !== null && (
        <Text size="sm" className="quiet">
          {options.note}
        </Text>
      )}
      <Group justify="flex-end">
        <Button
          type="submit"
          loading={busy}
          disabled={types.length === 0 || language === null || options.reason !== null}
          data-testid="write-texts"
        >
          {types.length > 1 ? t("write.several", { types: types.length }) : t("write.one")}
        </Button>
      </Group>
    </form>
  );
}

/** What happens to a text that exists in this type and language. */
function noteOf(text: AiText): string {
  if (isOpen(text)) return t("write.running");
  return text.version === 0 ? "" : t("write.again");
}
