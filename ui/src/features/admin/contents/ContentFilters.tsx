import { MultiSelect, Select, Switch, TextInput } from "@mantine/core";
import { useState } from "react";
import { usePublicConfig } from "../../../api/publicConfig";
import { AUTO } from "../../files/languages";
import { SearchBox } from "../list/SearchBox";
import type { useFilters } from "../list/useFilters";
import list from "../list/list.module.css";

type Props = Pick<ReturnType<typeof useFilters>, "get" | "getAll" | "set">;

const STATES = [
  { value: "waiting", label: "Waiting" },
  { value: "uploading", label: "Uploading" },
  { value: "processing", label: "Processing" },
  { value: "transcribing", label: "Transcribing" },
  { value: "completed", label: "Completed" },
  { value: "failed", label: "Failed" },
  { value: "abandoned", label: "Cancelled" },
];
const KINDS = [
  { value: "video", label: "Video" },
  { value: "audio", label: "Audio" },
  { value: "image", label: "Image" },
  { value: "document", label: "Document" },
  { value: "other", label: "Not known yet" },
];
const FAILED = [
  { value: "24", label: "Failed in 24 hours" },
  { value: "168", label: "Failed in 7 days" },
  { value: "720", label: "Failed in 30 days" },
];

export function ContentFilters({ get, getAll, set }: Props) {
  const languages = useLanguageChoices();
  return (
    <search className={list.filters}>
      <SearchBox
        key={`q${get("q") === ""}`}
        label="Beginning of a name, or an id"
        value={get("q")}
        onChange={(q) => set({ q })}
      />
      <MultiSelect
        aria-label="State"
        placeholder={getAll("status").length === 0 ? "Any state" : undefined}
        data={STATES}
        value={getAll("status")}
        disabled={get("failed_within_h") !== ""}
        clearable
        miw={150}
        onChange={(status) => set({ status })}
      />
      <Select
        aria-label="Kind"
        placeholder="Any kind"
        data={KINDS}
        value={get("kind") || null}
        clearable
        w={150}
        onChange={(kind) => set({ kind })}
      />
      <Select
        aria-label="Language"
        placeholder="Any language"
        data={languages}
        value={get("language") || null}
        clearable
        searchable
        w={180}
        onChange={(language) => set({ language })}
      />
      <Exact label="Owner's address" value={get("owner")} onChange={(owner) => set({ owner })} />
      <Exact label="Team" value={get("team")} onChange={(team) => set({ team })} />
      <Select
        aria-label="Failed lately"
        placeholder="Failed or not"
        data={FAILED}
        value={get("failed_within_h") || null}
        clearable
        w={180}
        onChange={(hours) => set({ failed_within_h: hours, status: null })}
      />
      <Switch
        label="In the bin"
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
