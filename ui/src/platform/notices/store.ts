/** The notices of the notification area, in a small store outside React, so that realtime events need no component. */
import { useSyncExternalStore } from "react";

export type NoticeType = "success" | "info" | "warning" | "error" | "generic";
/** What a notice is about. `assets` are bytes on their way in, `files` the work on them. */
export const CATEGORIES = ["subscriptions", "ui", "assets", "files", "export"] as const;
export type NoticeCategory = (typeof CATEGORIES)[number];

/** One message. `slug` and `child` identify the file and the export it is about. */
export interface Notice {
  slug: string;
  child: string | null;
  type: NoticeType;
  category: NoticeCategory;
  message: string;
  name: string | null;
  progress: number | null;
  route: string | null;
  is_showing: boolean;
  is_completed: boolean;
  is_disposable: boolean;
  is_permanent: boolean;
}

export const NOTICES_MAX = 50;

let notices: readonly Notice[] = [];
const listeners = new Set<() => void>();

function publish(next: readonly Notice[]): void {
  notices = next;
  for (const listener of listeners) listener();
}

const same = (a: Notice, b: Pick<Notice, "slug" | "child">): boolean =>
  a.slug === b.slug && a.child === b.child;

/** Whether the notice is about running work. */
export const isBusy = (notice: Notice): boolean => notice.type === "info" && !notice.is_completed;

/** Put a notice in the area; a newer one about the same thing replaces the older. */
export function notify(notice: Pick<Notice, "slug" | "type" | "message"> & Partial<Notice>): void {
  const full: Notice = {
    child: null,
    category: "ui",
    name: null,
    progress: null,
    route: null,
    is_showing: true,
    is_completed: false,
    is_disposable: true,
    is_permanent: false,
    ...notice,
  };
  publish([full, ...notices.filter((held) => !same(held, full))].slice(0, NOTICES_MAX));
}

/** Move the bar of an existing notice; do nothing when there is none. */
export function notifyProgress(slug: string, child: string | null, progress: number): void {
  const moves = (held: Notice) =>
    same(held, { slug, child }) && !held.is_completed && held.progress !== progress;
  if (notices.some(moves))
    publish(notices.map((held) => (moves(held) ? { ...held, progress } : held)));
}

/** Take a notice away. A permanent one stays known, and hidden until it is given again. */
export function dismiss(notice: Notice): void {
  const hidden = { ...notice, is_showing: false };
  publish(
    notice.is_permanent
      ? notices.map((held) => (held === notice ? hidden : held))
      : notices.filter((held) => held !== notice),
  );
}

/** Remove all notices about this thing. */
export function withdraw(slug: string): void {
  publish(notices.filter((held) => held.slug !== slug));
}

/** Remove the notices of this child, whatever they are about. */
export function withdrawChild(child: string): void {
  if (notices.some((held) => held.child === child))
    publish(notices.filter((held) => held.child !== child));
}

/** Remove notices of running work: after missed events its state is unknown. */
export function dropBusyNotices(): void {
  publish(notices.filter((held) => !isBusy(held)));
}

/** Clear all notices except permanent ones. */
export function clearNotices(): void {
  publish(notices.filter((held) => held.is_permanent));
}

/** At the end of a session, nothing of the person stays. */
export function forgetNotices(): void {
  publish([]);
}

export const readNotices = (): readonly Notice[] => notices;

/** The notices that show. */
export function useNotices(): readonly Notice[] {
  const held = useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, readNotices);
  return held.filter((notice) => notice.is_showing);
}
