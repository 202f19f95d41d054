import { NumberInput, Select } from "@mantine/core";
import { t } from "../../../platform/messages/editing";
import { useEditorSettings, type EditorSettings } from "../../editor/useEditorSettings";

const KINDS: Record<EditorSettings["pause_while_typing"], string> = {
  off: t("timing.pauseOff"),
  pause: t("timing.pausePause"),
  slow: t("timing.pauseSlow"),
};
const PLACES: Record<EditorSettings["resume_at"], string> = {
  stopped: t("timing.resumeStopped"),
  before: t("timing.resumeBefore"),
  after: t("timing.resumeAfter"),
  back: t("timing.resumeBack"),
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
        label={t("timing.pause")}
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
          {seconds(t("timing.pauseAfter"), "pause_after_ms", [0, 10])}
          {seconds(t("timing.resumeWait"), "resume_after_ms", [0.5, 10])}
        </>
      )}
      {settings.pause_while_typing === "pause" && (
        <>
          <Select
            label={t("timing.resumeAt")}
            data={options(PLACES)}
            value={settings.resume_at}
            allowDeselect={false}
            onChange={(value) =>
              value !== null && change({ resume_at: value as EditorSettings["resume_at"] })
            }
          />
          {settings.resume_at === "back" &&
            seconds(t("timing.resumeBy"), "resume_back_ms", [0, 30])}
        </>
      )}
    </>
  );
}
