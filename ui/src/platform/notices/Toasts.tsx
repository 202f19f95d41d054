import { Notifications } from "@mantine/notifications";

/** One toast fits into the free middle of the top bar without covering a list; others wait their turn. */
const SHOWN = 1;

/** Where toasts appear. Hovering over one pauses its timer, as WCAG 2.2.1 requires, and it can be closed. */
export default function Toasts() {
  return (
    <Notifications
      position="top-center"
      limit={SHOWN}
      containerWidth={440}
      // The default margin would push the toast out of the bar.
      mt={-12}
      pauseResetOnHover="notification"
    />
  );
}

export { notifications, notificationsStore } from "@mantine/notifications";
