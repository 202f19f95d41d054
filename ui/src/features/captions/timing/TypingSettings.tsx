import { NumberInput, Select } from "@mantine/core";
import { t } from "../../../platform/i18n/en/timing";
import { useEditorSettings, type EditorSettings } from "../../editor/useEditorSettings";

const KINDS: Record<EditorSettings["pause_while_typing"], string> = {
  off: t("pauseOff"),
  pause: t("pausePause"),
  slow: t("pauseSlow"),
};
const PLACES: Record<EditorSettings["resume_at"], string> = {
  stopped: t("resumeStopped"),
  before: t("resumeBefore"),
  after: t("resumeAfter"),
  back: t("resumeBack"),
};
const options = (names: Record<string, string>) =>
  Object.entries(names).map(([value, label]) => ({ value, label }));

/** What playback does while the person types. */
export function TypingSettings() {
  const { settings, change } = useEditorSettings();
  const seconds = (
    label: string,
    name: "pause_after_ms" | "resume_after_ms" | "resume_back_ms",
    [min, max]: [number, number],
  ) => (
    <NumberInput
      label={label}
      value={settings[name] / 1000}
      min={min}
      max={max}
      step={0.5}
      clampBehavior="strict"
      onChange={(value) => {
        if (typeof value === "number") change({ [name]: Math.round(value * 1000) });
      }}
    />
  );
  return (
    <>
      <Select
        label={t("pause")}
        data={options(KINDS)}
        value={settings.pause_while_typing}
        allowDeselect={false}
        onChange={(value) =>
          value !== null &&
          change({ pause_while_typing: value as EditorSettings["pause_while_typing"] })
        }
      />
      {settings.pause_while_typing !== "off" && (
        <>
          {seconds(t("pauseAfter"), "pause_after_ms", [0, 10])}
          {seconds(t("resumeWait"), "resume_after_ms", [0.5, 10])}
        </>
      )}
      {settings.pause_while_typing === "pause" && (
        <>
          <Select
            label={t("resumeAt")}
            data={options(PLACES)}
            value={settings.resume_at}
            allowDeselect={false}
            onChange={(value) =>
              value !== null && change({ resume_at: value as EditorSettings["resume_at"] })
            }
          />
          {settings.resume_at === "back" && seconds(t("resumeBy"), "resume_back_ms", [0, 30])}
        </>
      )}
    </>
  );
}
