import { Notifications } from "@mantine/notifications";

/** So few that they hide the bar's free middle and never a list; others wait their turn. */
const SHOWN = 2;

/**
 * Where toasts appear: at the top in the middle. The one under the mouse stays, so that it can be read and closed
 * (WCAG 2.2.1 asks for a way to stop the clock); the others go after their time.
 */
export default function Toasts() {
  return (
    <Notifications
      position="top-center"
      limit={SHOWN}
      containerWidth={440}
      pauseResetOnHover="notification"
    />
  );
}
