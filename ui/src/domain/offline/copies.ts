/** The last state of what the editor shows, by account and key in the cache. */
import { keys } from "../../platform/api/keys";
import type { Captions, Line } from "../captions/types";
import { rememberedAccount } from "../../platform/offline/account";
import { lose } from "../../platform/offline/connection";
import {
  beginningWith,
  database,
  erasureCount,
  onKeepingSuccess,
  onKeepingFailure,
  type Database,
  type Kept,
} from "./database";

/** So many files stay readable without a network, and no longer than this. */
export const COPIES_MAX = 20;
export const COPY_DAYS = 30;
/**
 * Raised when what earlier builds kept cannot be used, as after a change of an answer's form. Copies before 2 may hold
 * lines of a former translation.
 */
export const COPY_FORM = 2;
const DAY_MS = 86_400_000;
/** Lines written at once: about a millisecond of the page's time. */
const SLICE = 100;

const CAPTIONS = keys.captions("");

/** What the server last answered for this key, for the person who was here last. Undefined if it is not kept. */
export async function answerFor(key: unknown): Promise<unknown> {
  const account = rememberedAccount();
  const held = account === "" ? undefined : await database();
  if (held === undefined || typeof key !== "string") return undefined;
  try {
    const answer = key.startsWith(CAPTIONS)
      ? await captionsOf(held, account, key)
      : ofThisForm(await held.get("answers", [account, key]));
    if (answer !== undefined) lose();
    return answer;
  } catch (error) {
    onKeepingFailure(error);
    return undefined;
  }
}

const ofThisForm = (kept: Kept["answers"]["value"] | undefined): unknown =>
  kept?.form === COPY_FORM ? kept.value : undefined;

async function captionsOf(
  held: Database,
  account: string,
  track: string,
): Promise<Captions | undefined> {
  const tx = held.transaction(["copies", "lines"]);
  const [copy, lines] = await Promise.all([
    tx.objectStore("copies").get([account, track]),
    tx.objectStore("lines").getAll(beginningWith(account, track)),
  ]);
  if (copy?.form !== COPY_FORM) return undefined;
  return { ...copy.captions, lines: lines.sort((a, b) => a.start_ms - b.start_ms) };
}

/** Keep an answer of the server. Large ones stay out: they would take the room of captions. */
export async function keepAnswer(account: string, key: string, value: unknown): Promise<void> {
  const begun = erasureCount();
  const held = await database();
  if (held === undefined || begun !== erasureCount()) return;
  try {
    await held.put("answers", { form: COPY_FORM, value }, [account, key]);
    onKeepingSuccess();
  } catch (error) {
    onKeepingFailure(error);
  }
}

/** Writes the captions of a track as the server has them; only what changed since the last time. */
export class CopyWriter {
  private held: Captions | undefined;
  private writing: Promise<void> | undefined;
  private next: Captions | undefined;

  constructor(
    private readonly database: Database,
    private readonly account: string,
    private readonly track: string,
    private readonly isOver: () => boolean,
  ) {}

  write(captions: Captions): void {
    if (captions === this.held || captions.is_live) return;
    this.next = captions;
    this.writing ??= this.work().finally(() => (this.writing = undefined));
  }

  private async work(): Promise<void> {
    try {
      while (this.next !== undefined && !this.isOver()) {
        const captions = this.next;
        this.next = undefined;
        if (this.held === undefined) await this.begin(captions);
        else await this.change(this.held, captions);
        this.held = captions;
        onKeepingSuccess();
      }
    } catch (error) {
      this.held = undefined;
      onKeepingFailure(error);
    }
  }

  /** The first time: all lines, unless this browser has this revision of this track already. */
  private async begin(captions: Captions): Promise<void> {
    const { account, track } = this;
    const copy = await this.database.get("copies", [account, track]);
    await forgetOld(this.database, account, track);
    const { form, captions: kept } = copy ?? {};
    // A translation that was made again is another track under the same address.
    if (form === COPY_FORM && kept?.id === captions.id && kept.revision === captions.revision) {
      await this.database.put("copies", headOf(captions), [account, track]);
      return;
    }
    const tx = this.database.transaction(["copies", "lines"], "readwrite");
    const lines = tx.objectStore("lines");
    void tx.objectStore("copies").put(headOf(captions), [account, track]);
    await lines.delete(beginningWith(account, track));
    for (let start = 0; start < captions.lines.length; start += SLICE) {
      // Waiting for each slice lets the page work in between, and keeps the transaction open.
      await Promise.all(
        captions.lines
          .slice(start, start + SLICE)
          .map((line) => lines.put(line, [account, track, line.id])),
      );
    }
    await tx.done;
  }

  private async change(before: Captions, captions: Captions): Promise<void> {
    const { account, track } = this;
    const known = new Map(before.lines.map((line): [string, Line] => [line.id, line]));
    const tx = this.database.transaction(["copies", "lines"], "readwrite");
    const lines = tx.objectStore("lines");
    void tx.objectStore("copies").put(headOf(captions), [account, track]);
    for (const line of captions.lines) {
      if (known.get(line.id) !== line) void lines.put(line, [account, track, line.id]);
      known.delete(line.id);
    }
    for (const id of known.keys()) void lines.delete([account, track, id]);
    await tx.done;
  }
}

function headOf(captions: Captions) {
  return { at: Date.now(), form: COPY_FORM, captions: { ...captions, lines: [] } };
}

/** Delete copies that are old, too many, or somebody else's. Changes that wait to be saved stay. */
async function forgetOld(held: Database, account: string, present: string): Promise<void> {
  const tx = held.transaction(["copies", "lines", "answers"], "readwrite");
  const copies = tx.objectStore("copies");
  const [all, heads] = await Promise.all([copies.getAllKeys(), copies.getAll()]);
  const newest = all
    .map((key, index) => ({ key, at: heads[index]?.at ?? 0 }))
    .filter(({ key }) => key[1] !== present)
    .sort((a, b) => b.at - a.at);
  const oldest = Date.now() - COPY_DAYS * DAY_MS;
  const gone = newest.filter(
    ({ key, at }, index) => key[0] !== account || at < oldest || index >= COPIES_MAX - 1,
  );
  for (const { key } of gone) {
    void copies.delete(key);
    void tx.objectStore("lines").delete(beginningWith(...key));
    const [whose, track] = key;
    const slug = track.slice(CAPTIONS.length).split("?")[0] ?? "";
    for (const file of answersOf(slug)) void tx.objectStore("answers").delete([whose, file]);
  }
  await tx.done;
}

/** The keys of answers about one file that the editor needs to open. */
export const answersOf = (slug: string): string[] => [
  keys.file(slug),
  keys.translations(slug),
  keys.speakers(slug),
  keys.peaks(slug),
  keys.shots(slug),
];
