import { TOAST_MS } from "../../theme/theme";
import type { NoticeType } from "./store";

const COLOURS: Record<NoticeType, string> = {
  success: "teal",
  info: "blue",
  warning: "yellow",
  error: "red",
  generic: "gray",
};

/** A message that shows in the corner for a moment; `ms` is the toast life unless the specification says otherwise. */
export function toast(type: NoticeType, message: string, ms = TOAST_MS): void {
  void import("@mantine/notifications").then(({ notifications }) =>
    notifications.show({
      message,
      color: COLOURS[type],
      autoClose: ms,
      radius: "md",
      withBorder: true,
      role: type === "error" ? "alert" : "status",
    }),
  );
}
