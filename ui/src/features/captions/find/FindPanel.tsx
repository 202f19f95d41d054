import { ActionIcon, Checkbox, TextInput } from "@mantine/core";
import { useDeferredValue, useEffect, useMemo, useRef, useSyncExternalStore } from "react";
import { IconArrowDown, IconArrowUp } from "../../../theme/icons";
import type { PanelProps } from "../panels/registry";
import { useView } from "../useEditorStore";
import { findNext } from "./findNext";
import { QUERY_MAX } from "./matcher";
import { searchOf } from "./Search";
import styles from "./find.module.css";

export default function FindPanel({ editing, openings, params }: PanelProps) {
  const search = searchOf(editing);
  const state = useSyncExternalStore(search.subscribe, search.get);
  const { terms, current, problem, matcher } = state;
  const box = useRef<HTMLInputElement>(null);
  // Counting matches may wait: a key press in a line must not.
  const lines = useDeferredValue(useView(editing.store, (view) => view.captions.lines));
  const all = useMemo(
    () => (matcher === null ? [] : search.in(lines)),
    // The range is part of what `search.in` reads.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [search, lines, matcher, state.range],
  );

  useEffect(() => {
    const text = params["text"];
    void search.look(text === undefined ? {} : { query: text });
    return () => search.rest();
  }, [search, params]);
  useEffect(() => {
    if (openings === 0) return;
    box.current?.focus();
    box.current?.select();
  }, [openings]);

  const at = all.findIndex(({ line, start }) => line === current?.line && start === current.start);
  const count =
    terms.query === ""
      ? ""
      : all.length === 0
        ? "No match"
        : at < 0
          ? `${all.length} ${all.length === 1 ? "match" : "matches"}`
          : `${at + 1} of ${all.length}`;
  return (
    <form
      className={styles.find}
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        findNext(editing, 1);
      }}
    >
      <TextInput
        ref={box}
        label="Find"
        value={terms.query}
        maxLength={QUERY_MAX}
        error={problem}
        data-testid="find-query"
        onChange={(event) => void search.look({ query: event.currentTarget.value })}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || !event.shiftKey) return;
          event.preventDefault();
          findNext(editing, -1);
        }}
      />
      <div className={styles.row}>
        <span role="status" data-testid="find-count" className="quiet tabular">
          {count}
        </span>
        <ActionIcon
          aria-label="Previous match"
          disabled={all.length === 0}
          onClick={() => findNext(editing, -1)}
        >
          <IconArrowUp size={17} />
        </ActionIcon>
        <ActionIcon type="submit" aria-label="Next match" disabled={all.length === 0}>
          <IconArrowDown size={17} />
        </ActionIcon>
      </div>
      <Checkbox
        label="Match case"
        checked={terms.matchCase}
        onChange={(event) => void search.look({ matchCase: event.currentTarget.checked })}
      />
      <Checkbox
        label="Whole words"
        checked={terms.wholeWord}
        onChange={(event) => void search.look({ wholeWord: event.currentTarget.checked })}
      />
      <Checkbox
        label="Regular expression"
        checked={terms.isPattern}
        onChange={(event) => void search.look({ isPattern: event.currentTarget.checked })}
      />
    </form>
  );
}
