import { SegmentedControl, Switch, Text } from "@mantine/core";
import type { MediaFile } from "../../../domain/files/data";
import { canDrop } from "../../../domain/captions/timecode";
import { t } from "../../../platform/messages/editing";
import { ProgrammeStart } from "./ProgrammeStart";
import { useEditorSettings, type EditorSettings } from "../../editor/useEditorSettings";

/** How times are shown and typed: in milliseconds or as frames, which only a picture has. */
export function ClockSettings({ file, mayChange }: { file: MediaFile; mayChange: boolean }) {
  const { fps, timecode } = file;
  const { settings, change } = useEditorSettings();
  // The sign of the address says which numbers are left out.
  const countsFrom = settings.from_timecode && timecode !== null;
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
      {settings.clock === "frames" && mayChange && <ProgrammeStart file={file} fps={fps} />}
      {settings.clock === "frames" && timecode !== null && (
        <Switch
          label={t("clock.fromTimecode", { timecode })}
          description={t("clock.fromTimecodeHint")}
          checked={settings.from_timecode}
          onChange={(event) => change({ from_timecode: event.currentTarget.checked })}
        />
      )}
      {settings.clock === "frames" && canDrop(fps) && !countsFrom && (
        <Switch
          label={t("clock.drop")}
          checked={settings.drop_frame}
          onChange={(event) => change({ drop_frame: event.currentTarget.checked })}
        />
      )}
    </>
  );
}
