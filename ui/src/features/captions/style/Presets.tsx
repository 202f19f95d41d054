import { Button, Checkbox, Group, Select, TextInput } from "@mantine/core";
import { useState } from "react";
import { useSWRConfig } from "swr";
import { keys } from "../../../platform/api/keys";
import { usePublicConfig } from "../../../platform/api/publicConfig";
import { t } from "../../../platform/messages/editing";
import { toast } from "../../../platform/notices/toast";
import { useMayAdd } from "../../../domain/teams/workspace";
import {
  addPreset,
  changePreset,
  presetName,
  removePreset,
  type CaptionStyle,
  type FileStyle,
  type Preset,
  type PresetChange,
} from "../../editor/style/data";
import styles from "./style.module.css";

const OWN = "own";

interface Props {
  own: FileStyle;
  presets: Preset[];
  readOnly: boolean;
  onChange: (next: { preset_id: string | null; style: CaptionStyle }) => void;
}

export const isSame = (one: CaptionStyle, other: CaptionStyle): boolean =>
  JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));

const sorted = (style: CaptionStyle) =>
  Object.entries({ ...style, speaker_colours: Object.entries(style.speaker_colours).sort() }).sort(
    ([a], [b]) => a.localeCompare(b),
  );

/** The presets in groups, for a choice. */
export const presetGroups = (presets: readonly Preset[]) =>
  (
    [
      ["built_in", t("style.presetsBuiltIn")],
      ["user", t("style.presetsMine")],
      ["team", t("style.presetsTeam")],
    ] as const
  )
    .map(([scope, group]) => ({
      group,
      items: presets
        .filter((one) => one.scope === scope)
        .map((one) => ({ value: one.id, label: presetName(one) })),
    }))
    .filter(({ items }) => items.length > 0);

/** Choose a preset; save, rename and delete one's own. */
export function Presets({ own, presets, readOnly, onChange }: Props) {
  const { mutate } = useSWRConfig();
  const mayAdd = useMayAdd();
  const [naming, setNaming] = useState<"new" | "rename" | "remove" | null>(null);
  const preset = presets.find(({ id }) => id === own.preset_id);
  const changed = preset !== undefined && !isSame(preset.style, own.style);
  const mayChange = !readOnly && preset?.may_change === true;

  const attempt = async (call: Promise<unknown>) => {
    try {
      await call;
      setNaming(null);
    } catch (error) {
      toast("error", (error as Error).message);
    } finally {
      await mutate(keys.captionStyles);
    }
  };
  const save = (part: Partial<PresetChange>) => {
    if (preset === undefined) return;
    const { name, style, is_default } = preset;
    void attempt(changePreset(preset.id, { name, style, is_default, ...part }));
  };

  return (
    <section className={styles.presets} aria-label={t("style.preset")}>
      <Select
        label={t("style.preset")}
        description={changed ? t("style.changed") : undefined}
        allowDeselect={false}
        disabled={readOnly}
        data-testid="style-preset"
        data={[
          ...presetGroups(presets),
          ...(preset === undefined ? [{ value: OWN, label: t("style.fileOnly") }] : []),
        ]}
        value={preset?.id ?? OWN}
        onChange={(id) => {
          const chosen = presets.find((one) => one.id === id);
          if (chosen !== undefined) onChange({ preset_id: chosen.id, style: chosen.style });
        }}
      />
      {naming === null && !readOnly && (
        <Group gap={6}>
          <Button
            size="compact-sm"
            variant="default"
            data-testid="style-save-as"
            onClick={() => setNaming("new")}
          >
            {t("style.saveAs")}
          </Button>
          {mayChange && (
            <>
              {changed && (
                <Button size="compact-sm" onClick={() => save({ style: own.style })}>
                  {t("style.update", { name: preset.name })}
                </Button>
              )}
              <Button size="compact-sm" variant="default" onClick={() => setNaming("rename")}>
                {t("style.rename")}
              </Button>
              <Button
                size="compact-sm"
                variant="default"
                color="red"
                onClick={() => setNaming("remove")}
              >
                {t("style.remove")}
              </Button>
            </>
          )}
        </Group>
      )}
      {mayChange && naming === null && (
        <Checkbox
          label={preset.is_default ? t("style.isDefault") : t("style.makeDefault")}
          checked={preset.is_default}
          onChange={(event) => save({ is_default: event.currentTarget.checked })}
        />
      )}
      {(naming === "new" || naming === "rename") && (
        <NameForm
          name={naming === "rename" ? (preset?.name ?? "") : ""}
          onCancel={() => setNaming(null)}
          onSave={(name) => {
            if (naming === "rename") return save({ name });
            void attempt(
              // In a team in which somebody only looks, the preset is theirs alone.
              addPreset({
                name,
                style: own.style,
                is_default: false,
                scope: mayAdd ? null : "user",
              }).then((made) => onChange({ preset_id: made.id, style: own.style })),
            );
          }}
        />
      )}
      {naming === "remove" && preset !== undefined && (
        <div role="alertdialog" aria-label={t("style.remove")} className={styles.question}>
          <p>{t("style.removeAsk", { name: preset.name })}</p>
          <Group gap={6}>
            <Button
              autoFocus
              size="compact-sm"
              color="red"
              onClick={() => void attempt(removePreset(preset.id))}
            >
              {t("style.remove")}
            </Button>
            <Button size="compact-sm" variant="default" onClick={() => setNaming(null)}>
              {t("style.cancel")}
            </Button>
          </Group>
        </div>
      )}
    </section>
  );
}

interface NameFormProps {
  name: string;
  onSave: (name: string) => void;
  onCancel: () => void;
}

function NameForm({ name: given, onSave, onCancel }: NameFormProps) {
  const [name, setName] = useState(given);
  return (
    <form
      className={styles.question}
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== "") onSave(name.trim());
      }}
    >
      <TextInput
        autoFocus
        label={t("style.name")}
        value={name}
        maxLength={usePublicConfig()?.text_limits.style_name}
        data-testid="style-name"
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Group gap={6}>
        <Button type="submit" size="compact-sm" disabled={name.trim() === ""}>
          {t("style.save")}
        </Button>
        <Button size="compact-sm" variant="default" onClick={onCancel}>
          {t("style.cancel")}
        </Button>
      </Group>
    </form>
  );
}
