// @vitest-environment jsdom
import { notifications, notificationsStore } from "@mantine/notifications";
import { afterEach, describe, expect, it } from "vitest";
import { eventually } from "../../platform/eventually.testing";
import { dropBusyNotices, forgetNotices, isBusy, readNotices } from "../../platform/notices/store";
import {
  CONNECTION_LOST,
  hideConnectionWarning,
  warnOfConnection,
} from "../../platform/realtime/connectionWarning";
import type { Action, PollingEvent, Queue } from "./events";
import { showEvent } from "./notices";

afterEach(() => {
  forgetNotices();
  notifications.clean();
  hideConnectionWarning();
});

const show = (queue: Queue, action: Action, more: Partial<PollingEvent> = {}) =>
  showEvent({ queue, action, slug: "s", name: "talk", progress: 0, ...more });
const toasts = () => notificationsStore.getState().notifications.map((one) => one.message);

describe("notices of events", () => {
  it("have the event's own words", async () => {
    show("Upload", "Failed", { message: "It broke. Choose another file." });
    expect(readNotices()[0]).toMatchObject({
      type: "error",
      message: "It broke. Choose another file.",
      name: "talk",
      route: "/captions/s",
    });
    await eventually(() => expect(toasts()).toEqual(["It broke. Choose another file."]));
  });

  it("name the file where the message does not, and forget the upload once it is processed", async () => {
    show("Tus", "Completed", {
      slug: "u",
      message: "'talk' is uploaded and waiting for processing.",
    });
    expect(readNotices()).toHaveLength(1);
    show("Upload", "Started", { message: "Preprocessing 'talk'." });
    expect(readNotices().map(({ message }) => message)).toEqual(["Preprocessing 'talk'."]);
    show("Transcribe", "Completed", { message: "Your video transcription is ready." });
    await eventually(() =>
      expect(notificationsStore.getState().notifications).toMatchObject([
        { title: "talk", message: "Your video transcription is ready." },
      ]),
    );
  });

  it("are calm about what the person cancelled, without a toast", async () => {
    show("Upload", "Abandoned", { message: "You cancelled 'talk'." });
    show("Upload", "Failed", { slug: "other", message: "Broken." });
    expect(readNotices()[1]).toMatchObject({ type: "generic", message: "You cancelled 'talk'." });
    await eventually(() => expect(toasts()).toEqual(["Broken."]));
  });

  it("keep the bars of a transcription, its playback copy and its export apart", () => {
    const child = "lang_is-IS";
    show("Transcribe", "Started", { message: "Transcribing." });
    show("Encoding", "Started", { message: "Copying." });
    show("Export", "Started", { message: "Exporting.", child });
    show("Encoding", "Progress", { progress: 70 });
    show("Transcribe", "Progress", { progress: 20 });
    show("Export", "Progress", { progress: 50, child });
    expect(readNotices().map(({ message, progress }) => [message, progress])).toEqual([
      ["Exporting.", 50],
      ["Copying.", 70],
      ["Transcribing.", 20],
    ]);
  });

  it("lead to the captions in the language that a translation is about", () => {
    const child = "lang_is-IS";
    show("Export", "Started", { message: "Exporting.", child });
    show("Translate", "Started", { message: "Translating.", child });
    expect(readNotices().map(({ message, route }) => [message, route])).toEqual([
      ["Translating.", "/captions/s?language=is-IS"],
      ["Exporting.", "/captions/processing/s"],
    ]);
  });

  it("of work are dropped when events were missed, others stay", () => {
    show("Transcribe", "Started", { message: "Transcribing." });
    show("Upload", "Completed", { slug: "other", message: "Ready." });
    dropBusyNotices();
    expect(readNotices().map((notice) => [notice.message, isBusy(notice)])).toEqual([
      ["Ready.", false],
    ]);
  });
});

describe("the warning of a missing connection", () => {
  it("shows once for each outage and goes with it", () => {
    warnOfConnection();
    warnOfConnection();
    expect(readNotices().map(({ type, message }) => [type, message])).toEqual([
      ["warning", CONNECTION_LOST],
    ]);
    hideConnectionWarning();
    expect(readNotices()).toEqual([]);
    warnOfConnection();
    expect(readNotices()).toHaveLength(1);
  });
});
