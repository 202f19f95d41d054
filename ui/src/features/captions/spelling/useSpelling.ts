import { useLocalStorage } from "@mantine/hooks";
import { useEffect, useMemo, useSyncExternalStore } from "react";
import { useGlossary } from "../../../domain/glossary/data";
import { useKnownWords } from "../../../domain/glossary/words";
import type { Editing } from "../../editor/editing";
import { spellingOf, type Spelling, type SpellingState } from "./Spelling";

const NO_MORE: string[] = [];

export const SUGGEST_KEY = "Shift+Alt+K";

/** Whether this browser checks spelling, and a way to change that. */
export const useSpellingChoice = () =>
  useLocalStorage({
    key: "sagascript.spelling",
    defaultValue: true,
    getInitialValueInEffect: false,
  });

/** The dictionaries whose words are right beside those of the captions' language, in this browser. */
export const useMoreDictionaries = () =>
  useLocalStorage<string[]>({
    key: "sagascript.spelling.also",
    defaultValue: NO_MORE,
    getInitialValueInEffect: false,
  });

/**
 * Keeps the check going for the language of the captions, from when somebody first types in a line: a dictionary is
 * some megabytes, and somebody who only reads needs none.
 */
export function useSpellingCheck(editing: Editing, language: string, readOnly: boolean): void {
  const [isOn] = useSpellingChoice();
  const [also] = useMoreDictionaries();
  const spelling = spellingOf(editing);
  useAcceptedWords(spelling, isOn);
  useEffect(() => {
    if (!isOn || readOnly) {
      spelling.stop();
      return;
    }
    if (spelling.getState() !== "off") {
      spelling.start(language, also);
      return;
    }
    const onFocus = ({ target }: FocusEvent) => {
      const isText =
        target instanceof HTMLTextAreaElement && target.closest("[data-line]") !== null;
      if (isText) spelling.start(language, also);
    };
    window.addEventListener("focusin", onFocus);
    return () => window.removeEventListener("focusin", onFocus);
  }, [isOn, readOnly, language, also, spelling]);
  useEffect(() => () => spelling.stop(), [spelling]);
}

/** Words of the person, of the team and of the glossary are never wrong. */
function useAcceptedWords(spelling: Spelling, isOn: boolean): void {
  const { data: terms } = useGlossary();
  const { data: words } = useKnownWords();
  const accepted = useMemo(
    () => [
      ...(terms ?? []).flatMap(({ source, target }) => [source, target]),
      ...(words ?? []).map(({ word }) => word),
    ],
    [terms, words],
  );
  useEffect(() => {
    if (isOn) spelling.accept(accepted);
  }, [isOn, accepted, spelling]);
}

export function useSpellingState(spelling: Spelling): SpellingState {
  return useSyncExternalStore(spelling.subscribe, spelling.getState);
}

/** Rerenders whenever words may be judged differently. */
export const useSpellingVersion = (spelling: Spelling): number =>
  useSyncExternalStore(spelling.subscribe, spelling.getVersion);
