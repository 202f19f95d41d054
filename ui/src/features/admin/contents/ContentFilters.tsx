import { MultiSelect, Select, Switch, TextInput } from "@mantine/core";
import { useState } from "react";
import { usePublicConfig } from "../../../platform/api/publicConfig";
import { t } from "../../../platform/messages/admin";
import { AUTO } from "../../../domain/languages/languages";
import { SearchBox } from "../list/SearchBox";
import type { useFilters } from "../list/useFilters";
import list from "../list/list.module.css";

type Props = Pick<ReturnType<typeof useFilters>, "get" | "getAll" | "set">;

const STATES = [
  { value: "waiting", label: t("contents.waiting") },
  { value: "uploading", label: t("contents.uploading") },
  { value: "processing", label: t("contents.processing") },
  { value: "transcribing", label: t("contents.transcribing") },
  { value: "completed", label: t("contents.completed") },
  { value: "failed", label: t("contents.failed") },
  { value: "abandoned", label: t("contents.cancelled") },
];
const KINDS = [
  { value: "video", label: t("contents.video") },
  { value: "audio", label: t("contents.audio") },
  { value: "image", label: t("contents.image") },
  { value: "document", label: t("contents.document") },
  { value: "other", label: t("contents.unknown") },
];
const FAILED = [
  { value: "24", label: t("contents.failed.day") },
  { value: "168", label: t("contents.failed.week") },
  { value: "720", label: t("contents.failed.month") },
];

export function ContentFilters({ get, getAll, set }: Props) {
  const languages = useLanguageChoices();
  return (
    <search className={list.filters}>
      <SearchBox
        key={`q${get("q") === ""}`}
        label={t("contents.searchLabel")}
        value={get("q")}
        onChange={(q) => set({ q })}
      />
      <MultiSelect
        aria-label={t("contents.state")}
        placeholder={getAll("status").length === 0 ? t("contents.anyState") : undefined}
        data={STATES}
        value={getAll("status")}
        disabled={get("failed_within_h") !== ""}
        clearable
        miw={150}
        onChange={(status) => set({ status })}
      />
      <Select
        aria-label={t("contents.kind")}
        placeholder={t("contents.anyKind")}
        data={KINDS}
        value={get("kind") || null}
        clearable
        w={150}
        onChange={(kind) => set({ kind })}
      />
      <Select
        aria-label={t("contents.language")}
        placeholder={t("contents.anyLanguage")}
        data={languages}
        value={get("language") || null}
        clearable
        searchable
        w={180}
        onChange={(language) => set({ language })}
      />
      <Exact
        label={t("contents.ownersAddress")}
        value={get("owner")}
        onChange={(owner) => set({ owner })}
      />
      <Exact label={t("contents.team")} value={get("team")} onChange={(team) => set({ team })} />
      <Select
        aria-label={t("contents.failedLately")}
        placeholder={t("contents.failed.label")}
        data={FAILED}
        value={get("failed_within_h") || null}
        clearable
        w={180}
        onChange={(hours) => set({ failed_within_h: hours, status: null })}
      />
      <Switch
        label={t("contents.bin.label")}
        checked={get("in_bin") === "true"}
        onChange={({ currentTarget }) => set({ in_bin: currentTarget.checked ? "true" : null })}
      />
    </search>
  );
}

/** Every code once: the server lists regional languages before all languages. */
function useLanguageChoices() {
  const labels = new Map<string, string>();
  for (const { value, label } of usePublicConfig()?.languages ?? []) {
    if (value !== AUTO && !labels.has(value)) labels.set(value, `${label} (${value})`);
  }
  return [...labels].map(([value, label]) => ({ value, label }));
}

/** A filter by a whole name, applied with Enter or when the field is left. */
function Exact(props: { label: string; value: string; onChange: (text: string) => void }) {
  const { label, value, onChange } = props;
  const [draft, setDraft] = useState<string>();
  const apply = () => {
    if (draft !== undefined && draft.trim() !== value) onChange(draft.trim());
    setDraft(undefined);
  };
  return (
    <TextInput
      aria-label={label}
      placeholder={label}
      w={180}
      value={draft ?? value}
      onChange={({ currentTarget }) => setDraft(currentTarget.value)}
      onBlur={apply}
      onKeyDown={({ key }) => key === "Enter" && apply()}
    />
  );
}
