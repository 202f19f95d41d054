import { Notifications } from "@mantine/notifications";

/** Where toasts appear: below the bar, away from the waveform and the lists' ends. */
export default function Toasts() {
  return <Notifications position="top-right" limit={4} containerWidth={400} mt={52} />;
}
