import { Select } from "@mantine/core";
import { usePublicConfig } from "../../platform/api/publicConfig";
import { t } from "../../platform/messages/glossary";
import { byName } from "../../platform/i18n/languageNames";
import { AUTO, languageName } from "../../domain/languages/languages";

interface Props {
  label: string;
  /** Null for any language. */
  value: string | null;
  onChange: (code: string | null) => void;
}

/** One language or any. A glossary may be written before a model for its languages is installed. */
export function AnyLanguage({ label, value, onChange }: Props) {
  const languages = usePublicConfig()?.languages ?? [];
  const seen = new Set<string>();
  const data = byName(
    languages
      .filter((one) => one.value !== AUTO && !seen.has(one.label) && seen.add(one.label))
      .map((one) => ({ value: one.value, label: languageName(one.value, one.label) })),
  );
  return (
    <Select
      label={label}
      placeholder={t("anyLanguage")}
      data={data}
      value={value}
      onChange={onChange}
      searchable
      clearable
      clearButtonProps={{ "aria-label": t("anyLanguage") }}
      nothingFoundMessage={t("language.none")}
      maxDropdownHeight={260}
    />
  );
}
