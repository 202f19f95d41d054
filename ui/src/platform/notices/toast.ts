import { latestConfig } from "../api/publicConfig";
import { t } from "../messages/shell";
import type { NoticeType } from "./store";

const COLOURS: Record<NoticeType, string> = {
  success: "teal",
  info: "blue",
  warning: "yellow",
  error: "red",
  generic: "gray",
};

/** At most this many messages, shown and waiting; older waiting ones are out of date. */
const MOST = 3;

/** Show a message at the top for `ms`, by default the server's `toast_ms`; `about` names what it is about. */
export function toast(
  type: NoticeType,
  message: string,
  ms = latestConfig()?.toast_ms,
  about?: string,
): void {
  // The chunk of the mounted list, which every page has loaded: this one must also come without a network.
  void import("./Toasts").then(({ notifications, notificationsStore }) => {
    const { notifications: shown, queue } = notificationsStore.getState();
    if (shown.length + queue.length >= MOST) notifications.cleanQueue();
    notifications.show({
      // The same text about the same thing is shown once.
      id: `${type}: ${about ?? ""}${message}`,
      title: about,
      message,
      color: COLOURS[type],
      autoClose: ms,
      radius: "md",
      withBorder: true,
      role: type === "error" ? "alert" : "status",
      closeButtonProps: { "aria-label": t("notices.close") },
    });
  });
}
