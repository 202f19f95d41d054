import { Notifications } from "@mantine/notifications";

/** One fits into the free middle of the bar, where it covers no list; others wait their turn. */
const SHOWN = 1;

/** Where toasts appear. The mouse over one stops its clock, as WCAG 2.2.1 asks for, and it can be closed. */
export default function Toasts() {
  return (
    <Notifications
      position="top-center"
      limit={SHOWN}
      containerWidth={440}
      // Its own distance from the edge would push the first one out of the bar.
      mt={-12}
      pauseResetOnHover="notification"
    />
  );
}
