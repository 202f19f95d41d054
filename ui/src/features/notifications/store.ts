import { notifications as toasts } from "@mantine/notifications";
import { useSyncExternalStore } from "react";
import { TOAST_MS } from "../../theme/theme";

export type NoticeType = "success" | "info" | "warning" | "error" | "generic";

/** One message of the notification area. `slug` and `child` say which file and export it is about. */
export interface Notice {
  slug: string;
  child: string | null;
  type: NoticeType;
  message: string;
  progress: number | null;
  route: string | null;
  is_showing: boolean;
  is_completed: boolean;
  is_disposable: boolean;
  is_permanent: boolean;
}

const COLOURS: Record<NoticeType, string> = {
  success: "teal",
  info: "blue",
  warning: "yellow",
  error: "red",
  generic: "gray",
};

export const KEPT = 50;

let notices: readonly Notice[] = [];
const listeners = new Set<() => void>();

function publish(next: readonly Notice[]): void {
  notices = next;
  for (const listener of listeners) listener();
}

const same = (a: Notice, b: Pick<Notice, "slug" | "child">): boolean =>
  a.slug === b.slug && a.child === b.child;

/** Put a notice in the area; a newer one about the same thing replaces the older. */
export function notify(notice: Pick<Notice, "slug" | "type" | "message"> & Partial<Notice>): void {
  const full: Notice = {
    child: null,
    progress: null,
    route: null,
    is_showing: true,
    is_completed: false,
    is_disposable: true,
    is_permanent: false,
    ...notice,
  };
  publish([full, ...notices.filter((held) => !same(held, full))].slice(0, KEPT));
}

/** Move the bar of a notice that is shown already; nothing happens when there is none. */
export function notifyProgress(slug: string, child: string | null, progress: number): void {
  publish(
    notices.map((held) =>
      same(held, { slug, child }) && !held.is_completed ? { ...held, progress } : held,
    ),
  );
}

export function dismiss(notice: Notice): void {
  publish(notices.filter((held) => held !== notice));
}

export function clearNotices(): void {
  publish([]);
}

export function useNotices(): readonly Notice[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => notices,
  );
}

/** A message that shows for three seconds in the corner. */
export function toast(type: NoticeType, message: string): void {
  toasts.show({ message, color: COLOURS[type], autoClose: TOAST_MS, withBorder: true });
}
