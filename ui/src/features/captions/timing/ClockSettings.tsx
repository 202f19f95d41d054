import { SegmentedControl, Switch, Text } from "@mantine/core";
import { canDrop } from "../../../domain/captions/timecode";
import { t } from "../../../platform/messages/editing";
import { useEditorSettings, type EditorSettings } from "../../editor/useEditorSettings";

/** How times are shown and typed: in milliseconds or as frames, which only a picture has. */
export function ClockSettings({ fps }: { fps: number | null }) {
  const { settings, change } = useEditorSettings();
  if (fps === null)
    return (
      <Text size="sm" className="quiet">
        {t("clock.noRate")}
      </Text>
    );
  return (
    <>
      <SegmentedControl
        aria-label={t("clock.title")}
        data={[
          { value: "ms", label: t("clock.ms") },
          { value: "frames", label: t("clock.inFrames") },
        ]}
        value={settings.clock}
        onChange={(clock) => change({ clock: clock as EditorSettings["clock"] })}
      />
      <Text size="sm" className="quiet">
        {t("clock.rate", { rate: fps })}
      </Text>
      {settings.clock === "frames" && canDrop(fps) && (
        <Switch
          label={t("clock.drop")}
          checked={settings.drop_frame}
          onChange={(event) => change({ drop_frame: event.currentTarget.checked })}
        />
      )}
    </>
  );
}
