/** The notification area's notices: a small store outside of React, so that realtime events need no component. */
import { useSyncExternalStore } from "react";

export type NoticeType = "success" | "info" | "warning" | "error" | "generic";

/** One message. `slug` and `child` say which file and export it is about. */
export interface Notice {
  slug: string;
  child: string | null;
  type: NoticeType;
  message: string;
  name: string | null;
  progress: number | null;
  route: string | null;
  is_showing: boolean;
  is_completed: boolean;
  is_disposable: boolean;
  is_permanent: boolean;
}

export const KEPT = 50;

let notices: readonly Notice[] = [];
const listeners = new Set<() => void>();

function publish(next: readonly Notice[]): void {
  notices = next;
  for (const listener of listeners) listener();
}

const same = (a: Notice, b: Pick<Notice, "slug" | "child">): boolean =>
  a.slug === b.slug && a.child === b.child;

/** Something that still goes on. */
export const isBusy = (notice: Notice): boolean => notice.type === "info" && !notice.is_completed;

/** Put a notice in the area; a newer one about the same thing replaces the older. */
export function notify(notice: Pick<Notice, "slug" | "type" | "message"> & Partial<Notice>): void {
  const full: Notice = {
    child: null,
    name: null,
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

/** Take away whatever is shown about this thing. */
export function withdraw(slug: string): void {
  publish(notices.filter((held) => held.slug !== slug));
}

/** Take away what is said to go on: after missed events nobody knows whether it does. */
export function dropBusyNotices(): void {
  publish(notices.filter((held) => !isBusy(held)));
}

/** Empty the area; what is permanent stays. */
export function clearNotices(): void {
  publish(notices.filter((held) => held.is_permanent));
}

/** At the end of a session nothing of the person stays. */
export function forgetNotices(): void {
  publish([]);
}

export const readNotices = (): readonly Notice[] => notices;

export function useNotices(): readonly Notice[] {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, readNotices);
}
