import { Select } from "@mantine/core";
import { t } from "../../../i18n/en/style";
import { presetName, useFileStyle, useStyles } from "./data";
import { presetGroups } from "./Presets";

interface Props {
  slug: string;
  /** The id of a preset; null for the style that the file has in the editor. */
  value: string | null;
  onChange: (styleId: string | null) => void;
  disabled?: boolean;
}

const EDITOR = "editor";

/** The choice of a caption style for an export. */
export function StyleField({ slug, value, onChange, disabled = false }: Props) {
  const { data: all } = useStyles();
  const { data: own } = useFileStyle(slug);
  const preset = all?.presets.find(({ id }) => id === own?.preset_id);
  const name = preset === undefined ? "" : ` (${presetName(preset)})`;
  return (
    <Select
      label={t("styleField")}
      allowDeselect={false}
      disabled={disabled}
      data-testid="export-style"
      data={[
        { value: EDITOR, label: `${t("asEditor")}${name}` },
        ...presetGroups(all?.presets ?? []),
      ]}
      value={value ?? EDITOR}
      onChange={(chosen) => onChange(chosen === EDITOR ? null : chosen)}
    />
  );
}
