import { createContext, useContext, useEffect, useState, useSyncExternalStore } from "react";
import { api } from "../../../platform/api/client";
import { useSession } from "../../../domain/person/session";
import type { Editing } from "../../editor/editing";
import { newId } from "../../../domain/captions/model/commands";
import { onAccess } from "../../../domain/captions/changes";
import { People, type Message, type Person } from "./People";
import { onPresence } from "./presence";

/** Somebody who stopped typing is shown as typing this much longer, so that the mark does not flicker. */
const TYPING_FOR_MS = 3_000;

const NOBODY: readonly Person[] = [];
const quiet = () => () => undefined;

export const PeopleContext = createContext<People | null>(null);

/** Tell others where this page is in the captions, and hear where they are. Null while nobody can be told. */
export function usePeople(
  slug: string,
  language: string | undefined,
  editing: Editing,
): People | null {
  const user = useSession().user?.id;
  const [people, setPeople] = useState<People | null>(null);

  useEffect(() => {
    if (user === undefined || language === undefined) return;
    const page = newId();
    const send = ({ line, isTyping, isGone = false, asks = false }: Message) => {
      const body = { page, language, line, is_typing: isTyping, is_gone: isGone, asks };
      const params = { path: { key: slug } };
      // The person's work does not depend on it; the next message follows in a few seconds.
      void api
        .POST("/api/files/captions/{key}/presence", { params, body, keepalive: isGone })
        .catch(() => undefined);
    };
    const made = new People(page, user, send);
    let typedAt = Number.NEGATIVE_INFINITY;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      const now = Date.now();
      if (editing.store.get().save.kind === "unsaved") typedAt = now;
      const isTyping = now - typedAt < TYPING_FOR_MS;
      clearTimeout(timer);
      if (isTyping) timer = setTimeout(look, TYPING_FOR_MS);
      made.move({ line: editing.getFocus().selected, isTyping });
    };
    const stops = [
      onPresence((message) => {
        if (message.slug === slug && message.language === language) made.hear(message);
      }),
      onAccess(slug, () => made.askAgain()),
      editing.subscribe(look),
      editing.store.subscribe(look),
    ];
    const leave = () => made.stop();
    window.addEventListener("pagehide", leave);
    made.start();
    setPeople(made);
    return () => {
      clearTimeout(timer);
      window.removeEventListener("pagehide", leave);
      for (const stop of stops) stop();
      made.stop();
      setPeople(null);
    };
  }, [slug, language, editing, user]);
  return people;
}

/** The others who are on a line. */
export function useOthersOn(line: string): readonly Person[] {
  const people = useContext(PeopleContext);
  return useSyncExternalStore(people?.subscribe ?? quiet, () => people?.on(line) ?? NOBODY);
}

/** Everybody else who has these captions open. */
export function useOthers(people: People | null): readonly Person[] {
  return useSyncExternalStore(people?.subscribe ?? quiet, () => people?.get() ?? NOBODY);
}
