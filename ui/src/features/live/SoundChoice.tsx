import { Select, SegmentedControl, Stack, Text } from "@mantine/core";
import { useEffect, useState } from "react";
import { t } from "../../platform/messages/live";
import { microphones, type SoundKind } from "./capture/capture";

export interface SoundChoiceValue {
  kind: SoundKind;
  device: string | undefined;
}

export const FIRST_CHOICE: SoundChoiceValue = { kind: "microphone", device: undefined };
const OWN = "";

/** Where the sound comes from. */
export function SoundChoice({
  value,
  onChange,
}: {
  value: SoundChoiceValue;
  onChange: (value: SoundChoiceValue) => void;
}) {
  const devices = useMicrophones();
  const named = devices.filter(({ label }) => label !== "");
  return (
    <Stack gap="xs">
      <SegmentedControl
        aria-label={t("sound")}
        value={value.kind}
        onChange={(kind) => onChange({ ...value, kind: kind as SoundKind })}
        data={[
          { value: "microphone", label: t("microphone") },
          { value: "tab", label: t("tab") },
        ]}
      />
      {value.kind === "tab" && (
        <Text size="sm" className="quiet">
          {t("tab.about")}
        </Text>
      )}
      {value.kind === "microphone" && named.length > 1 && (
        <Select
          label={t("device")}
          allowDeselect={false}
          value={value.device ?? OWN}
          onChange={(device) =>
            onChange({ ...value, device: device === null || device === OWN ? undefined : device })
          }
          data={[
            { value: OWN, label: t("device.default") },
            ...named.map(({ deviceId, label }) => ({ value: deviceId, label })),
          ]}
        />
      )}
    </Stack>
  );
}

function useMicrophones(): MediaDeviceInfo[] {
  const [devices, setDevices] = useState<MediaDeviceInfo[]>([]);
  useEffect(() => {
    // Where there is no sound at all, the start says so.
    const media = navigator.mediaDevices as MediaDevices | undefined;
    if (media === undefined) return;
    const look = () => void microphones().then(setDevices, () => setDevices([]));
    look();
    media.addEventListener("devicechange", look);
    return () => media.removeEventListener("devicechange", look);
  }, []);
  return devices;
}
