import { TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useState } from "react";
import { IconSearch } from "../../../platform/theme/icons";

const AFTER_MS = 250;

interface Props {
  label: string;
  value: string;
  onChange: (text: string) => void;
  width?: number;
}

/** A search that waits until the person pauses. */
export function SearchBox({ label, value, onChange, width = 260 }: Props) {
  const [text, setText] = useState(value);
  const change = useDebouncedCallback(onChange, AFTER_MS);
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      maxLength={200}
      w={width}
      maw="100%"
      leftSection={<IconSearch size={16} />}
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        change(currentTarget.value.trim());
      }}
    />
  );
}
