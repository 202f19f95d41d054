import { MultiSelect } from "@mantine/core";
import { languageName } from "../../domain/languages/languages";
import { useTargets } from "../../domain/translations/data";
import { limitOf } from "../../platform/api/publicConfig";
import { byName } from "../../platform/i18n/languageNames";
import { t } from "../../platform/messages/live";

/** The languages into which the captions are translated while somebody speaks; none where no model does. */
export function TranslateTo({
  from,
  value,
  onChange,
}: {
  from: string;
  value: string[];
  onChange: (languages: string[]) => void;
}) {
  const { data } = useTargets(from);
  // Some languages are in both lists of the server, under two codes that mean the same to a model.
  const labels = new Set<string>();
  const available = (data ?? []).filter(
    ({ available: isThere, label }) => isThere && !labels.has(label) && labels.add(label),
  );
  const reason = data?.find(({ reason: why }) => why !== null)?.reason ?? undefined;
  return (
    <MultiSelect
      label={t("translateTo")}
      description={data !== undefined && available.length === 0 ? reason : undefined}
      data={byName(
        available.map(({ value: code, label }) => ({
          value: code,
          label: languageName(code, label),
        })),
      )}
      value={value.filter((code) => available.some((target) => target.value === code))}
      onChange={onChange}
      maxValues={limitOf("count_limits", "live_translations")}
      // Below is the button that begins.
      comboboxProps={{ position: "top" }}
      disabled={available.length === 0}
      searchable
      clearable
      hidePickedOptions
      clearButtonProps={{ "aria-label": t("translateTo.none") }}
      data-testid="translate-to"
    />
  );
}
