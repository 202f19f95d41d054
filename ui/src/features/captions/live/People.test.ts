import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  GONE_AFTER_MS,
  initialsOf,
  People,
  TELL_EVERY_MS,
  TELL_GAP_MS,
  type Message,
} from "./People";
import type { PresenceMessage } from "./presence";

const message = (more: Partial<PresenceMessage> = {}): PresenceMessage => ({
  slug: "talk",
  language: "en-US",
  page: "theirs",
  user: "bob",
  name: "Bob Dylan",
  line: "a",
  is_typing: false,
  is_gone: false,
  asks: false,
  ...more,
});

let sent: Message[];
let people: People;

beforeEach(() => {
  vi.useFakeTimers();
  sent = [];
  people = new People("mine", "ada", (one) => sent.push(one));
  people.start();
});
afterEach(() => vi.useRealTimers());

describe("the others", () => {
  it("are gone at once when they may have lost sight of the captions, and answer if they have not", () => {
    people.hear(message({ is_typing: true }));
    people.hear(message({ page: "eves", user: "eve" }));
    sent = [];
    people.askAgain();
    expect(people.on("a")).toEqual([]);
    expect(sent).toMatchObject([{ asks: true }]);
    people.hear(message({ page: "eves", user: "eve" }));
    expect(people.get().map(({ user }) => user)).toEqual(["eve"]);
  });

  it("are on their lines until they move or leave", () => {
    people.hear(message({ is_typing: true }));
    expect(people.on("a").map(({ name, isTyping }) => [name, isTyping])).toEqual([
      ["Bob Dylan", true],
    ]);
    people.hear(message({ line: "b" }));
    expect(people.on("a")).toEqual([]);
    expect(people.on("b")).toHaveLength(1);
    people.hear(message({ is_gone: true }));
    expect(people.get()).toEqual([]);
  });

  it("are not my own pages", () => {
    people.hear(message({ page: "mine" }));
    people.hear(message({ user: "ada" }));
    expect(people.get()).toEqual([]);
  });

  it("are gone after a silence", () => {
    people.hear(message());
    vi.advanceTimersByTime(GONE_AFTER_MS - TELL_EVERY_MS);
    expect(people.get()).toHaveLength(1);
    vi.advanceTimersByTime(2 * TELL_EVERY_MS);
    expect(people.get()).toEqual([]);
  });

  it("keep the array of a line that nobody joined or left, so that its row is not drawn again", () => {
    people.hear(message());
    const held = people.on("a");
    people.hear(message({ page: "third", user: "eve", line: "b" }));
    people.hear(message());
    expect(people.on("a")).toBe(held);
  });
});

describe("this page", () => {
  it("asks who is there, and answers who asks", () => {
    expect(sent).toEqual([{ line: null, isTyping: false, asks: true }]);
    people.hear(message({ asks: true }));
    expect(sent.at(-1)).toEqual({ line: null, isTyping: false });
  });

  it("says where it went, not too often, and the newest at last", () => {
    vi.advanceTimersByTime(TELL_GAP_MS);
    for (const line of ["a", "b", "c", "d"]) people.move({ line, isTyping: true });
    vi.advanceTimersByTime(TELL_GAP_MS);
    expect(sent.slice(1).map(({ line }) => line)).toEqual(["a", "d"]);
  });

  it("says that it leaves", () => {
    people.stop();
    expect(sent.at(-1)).toMatchObject({ isGone: true });
    vi.advanceTimersByTime(10 * TELL_EVERY_MS);
    expect(sent).toHaveLength(2);
  });
});

it.each([
  ["Ada Lovelace", "AL"],
  ["þórður", "Þ"],
  ["", ""],
  ["Jón Páll Sigmarsson", "JP"],
])("shows %j as %j", (name, initials) => expect(initialsOf(name)).toBe(initials));
