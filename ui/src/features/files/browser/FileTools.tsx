import { Button, MultiSelect, SegmentedControl, Select, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useMemo, useState } from "react";
import { usePublicConfig } from "../../../platform/api/publicConfig";
import { t } from "../../../platform/messages/files";
import { t as tLayouts } from "../../../platform/messages/shell";
import { IconSearch } from "../../../platform/theme/icons";
import { useSession } from "../../../domain/person/session";
import { useTags } from "../../tags/data";
import { MINE, useWorkspace } from "../../../domain/teams/workspace";
import {
  EVERYWHERE,
  FILTERS,
  FIRST,
  isNarrowed,
  SORTS,
  UNTAGGED,
  type FileSearch,
} from "./fileSearch";
import { AUTO } from "../../../domain/languages/languages";
import styles from "./fileBrowser.module.css";

const TYPING_PAUSE_MS = 250;

/** The box over names and captions. */
export function SearchBox({ value, onSearch }: { value: string; onSearch: (q: string) => void }) {
  const [text, setText] = useState(value);
  const searchSoon = useDebouncedCallback(onSearch, TYPING_PAUSE_MS);
  const [shown, setShown] = useState(value);
  // The URL changed elsewhere, by the back button or by "Show all".
  if (shown !== value) {
    setShown(value);
    if (text.trim() !== value) setText(value);
  }
  return (
    <TextInput
      type="search"
      aria-label={t("search.label")}
      placeholder={t("search.label")}
      leftSection={<IconSearch size={16} />}
      value={text}
      maxLength={usePublicConfig()?.text_limits.keyword}
      onChange={(event) => {
        setText(event.currentTarget.value);
        searchSoon(event.currentTarget.value.trim());
      }}
    />
  );
}

interface Props {
  search: FileSearch;
  onChange: (change: Partial<FileSearch>) => void;
}

/** Search, filters and order of a list of files. Filters do not apply to a search. */
export function FileTools({ search, onChange }: Props) {
  return (
    <search className={styles.filesTools}>
      <SearchBox value={search.q} onSearch={(q) => onChange({ q })} />
      {search.q === "" && (
        <>
          <SegmentedControl
            aria-label={t("filter")}
            data={FILTERS.map(({ value, label }) => ({ value, label }))}
            value={search.filter}
            onChange={(filter) => onChange({ filter: filter as FileSearch["filter"] })}
          />
          <Filters search={search} onChange={onChange} />
          <Select
            aria-label={t("sortBy")}
            data={[...SORTS]}
            value={search.sort}
            allowDeselect={false}
            onChange={(sort) => sort !== null && onChange({ sort: sort as FileSearch["sort"] })}
          />
        </>
      )}
      {isNarrowed(search) && (
        <Button variant="subtle" onClick={() => onChange({ ...FIRST, sort: search.sort })}>
          {t("clear")}
        </Button>
      )}
    </search>
  );
}

function Filters({ search, onChange }: Props) {
  const { tags } = useTags();
  const languages = useLanguageChoices();
  const teams = useSession().user?.teams.filter(({ is_active }) => is_active) ?? [];
  const workspace = useWorkspace();
  return (
    <>
      {(tags.length > 0 || search.tag.length > 0) && (
        <MultiSelect
          aria-label={t("tags.label")}
          placeholder={search.tag.length === 0 ? t("anyTag") : undefined}
          data={[
            ...tags.map(({ slug, name }) => ({ value: slug, label: name })),
            { value: UNTAGGED, label: t("noTag") },
          ]}
          value={search.tag}
          searchable
          clearable
          onChange={(tag) => onChange({ tag })}
        />
      )}
      <Select
        aria-label={t("language")}
        placeholder={t("anyLanguage")}
        data={languages}
        value={languages.find(({ value }) => value === search.language.join())?.value ?? null}
        searchable
        clearable
        onChange={(codes) => onChange({ language: codes === null ? [] : codes.split(",") })}
      />
      {workspace !== undefined && (
        <Select
          aria-label={t("workspace")}
          data={[
            { value: EVERYWHERE, label: t("allWorkspaces") },
            { value: MINE, label: tLayouts("page.personal") },
            ...teams.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          value={search.team || workspace}
          allowDeselect={false}
          onChange={(team) => onChange({ team: team === workspace ? "" : (team ?? "") })}
        />
      )}
    </>
  );
}

/** Each language once. One that the server lists under two codes stands for both. */
function useLanguageChoices(): { value: string; label: string }[] {
  const languages = usePublicConfig()?.languages;
  return useMemo(() => {
    const codes = new Map<string, string[]>();
    for (const { label, value } of languages ?? []) {
      if (value !== AUTO) codes.set(label, [...(codes.get(label) ?? []), value]);
    }
    return [...codes].map(([label, values]) => ({ label, value: values.join() }));
  }, [languages]);
}
