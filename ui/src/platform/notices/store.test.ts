import { afterEach, describe, expect, it } from "vitest";
import {
  clearNotices,
  dismiss,
  forgetNotices,
  isBusy,
  NOTICES_MAX,
  notify,
  notifyProgress,
  readNotices,
  withdraw,
} from "./store";

afterEach(forgetNotices);

describe("notices", () => {
  it("replaces the notice about the same file, and keeps the one about its export", () => {
    notify({ slug: "a", type: "info", message: "started" });
    notify({ slug: "a", child: "lang_is", type: "info", message: "exporting" });
    notify({ slug: "a", type: "success", message: "ready", is_completed: true });
    expect(readNotices().map((notice) => notice.message)).toEqual(["ready", "exporting"]);
  });

  it("moves the bar of what still goes on, and of nothing else", () => {
    notify({ slug: "a", type: "info", message: "started", progress: 1 });
    notify({ slug: "b", type: "success", message: "ready", is_completed: true, progress: 100 });
    notifyProgress("a", null, 40);
    notifyProgress("b", null, 40);
    notifyProgress("c", null, 40);
    expect(readNotices().map((notice) => notice.progress)).toEqual([100, 40]);
    expect(readNotices().map(isBusy)).toEqual([false, true]);
  });

  it("clears all but what is permanent, and remembers a bounded number", () => {
    for (let index = 0; index < NOTICES_MAX + 5; index += 1) {
      notify({
        slug: `file-${index}`,
        type: "info",
        message: "m",
        is_permanent: index === NOTICES_MAX,
      });
    }
    expect(readNotices()).toHaveLength(NOTICES_MAX);
    clearNotices();
    expect(readNotices().map((notice) => notice.slug)).toEqual([`file-${NOTICES_MAX}`]);
    dismiss(readNotices()[0] ?? expect.fail("no notice"));
    expect(readNotices().map((notice) => notice.is_showing)).toEqual([false]);
    withdraw(`file-${NOTICES_MAX}`);
    expect(readNotices()).toEqual([]);
  });
});
