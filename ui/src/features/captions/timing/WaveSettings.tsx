import { Switch } from "@mantine/core";
import type { MediaFile } from "../../../domain/files/data";
import { t } from "../../../platform/messages/editing";
import { useEditorSettings } from "../../editor/useEditorSettings";

/** What the waveform shows besides the lines. */
export function WaveSettings({ file }: { file: MediaFile }) {
  const { settings, change } = useEditorSettings();
  const hasSpectrogram = file.spectrogram_url !== null;
  const toggle = (
    name: "show_speech" | "show_shots" | "show_spectrogram",
    label: string,
    off?: string,
  ) => (
    <Switch
      label={label}
      description={off}
      disabled={off !== undefined}
      checked={settings[name] && off === undefined}
      onChange={(event) => change({ [name]: event.currentTarget.checked })}
    />
  );
  return (
    <>
      {toggle("show_speech", t("timing.toggleSpeech"))}
      {file.kind === "video" && toggle("show_shots", t("timing.toggleShots"))}
      {toggle(
        "show_spectrogram",
        t("timing.toggleSpectrogram"),
        hasSpectrogram ? undefined : t("timing.noSpectrogram"),
      )}
    </>
  );
}
