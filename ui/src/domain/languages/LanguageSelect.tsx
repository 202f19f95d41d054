import { Select, type SelectProps } from "@mantine/core";
import { useState } from "react";
import { t } from "../../platform/messages/processing";
import { IconLanguage } from "../../platform/theme/icons";
import { useLanguages } from "./languages";
import { foundWords, searchedFor } from "./search";

type Props = Pick<
  SelectProps,
  "label" | "aria-label" | "placeholder" | "size" | "w" | "disabled" | "className"
> & {
  /** Null while nothing is chosen. */
  value: string | null;
  onChange: (code: string) => void;
  /** In a dialog: where the focus goes when it opens. */
  "data-autofocus"?: boolean;
};

/** A searchable select box. Languages that the loaded model does not support are shown but disabled. */
export function LanguageSelect(props: Props) {
  const { value, onChange, size = "sm", "data-autofocus": focused = false, ...more } = props;
  const { options, label } = useLanguages();
  const chosen = value === null ? "" : label(value);
  const [search, setSearch] = useState(chosen);
  const selectAll = (box: HTMLInputElement) => {
    if (search === chosen) box.select();
  };
  return (
    <>
      <Select
        {...more}
        size={size}
        data={options}
        value={value}
        searchValue={search}
        onSearchChange={(text) => setSearch(search === chosen ? searchedFor(text, chosen) : text)}
        searchable
        // In a dialog, the list would hide the text.
        data-autofocus={focused || undefined}
        openOnFocus={!focused}
        allowDeselect={false}
        selectFirstOptionOnChange
        maxDropdownHeight={300}
        leftSection={<IconLanguage size={size === "xs" ? 15 : 17} />}
        nothingFoundMessage={t("languages.none")}
        // Typing replaces the shown name. The click comes after the focus and would otherwise place a caret there.
        onFocus={(event) => selectAll(event.currentTarget)}
        onClick={(event) => selectAll(event.currentTarget)}
        onChange={(code) => {
          if (code !== null) onChange(code);
        }}
      />
      <span className="visually-hidden" role="status">
        {search === chosen || search === "" ? "" : foundWords(options, search)}
      </span>
    </>
  );
}
