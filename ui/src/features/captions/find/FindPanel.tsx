import { ActionIcon, Button, Checkbox, NumberInput, TextInput } from "@mantine/core";
import { useDeferredValue, useEffect, useMemo, useRef, useSyncExternalStore } from "react";
import { usePublicConfig } from "../../../platform/api/publicConfig";
import { t } from "../../../platform/messages/library";
import { IconArrowDown, IconArrowUp } from "../../../platform/theme/icons";
import { toast } from "../../../platform/notices/toast";
import type { PanelProps } from "../../editor/panels/panel";
import { useView } from "../../editor/useView";
import { findNext } from "./findNext";
import { replaceAll, replaceCurrent } from "./replaceIn";
import { searchOf, type Search } from "./Search";
import styles from "./find.module.css";

/** Find and replace in the open captions. Matches are marked in the rows while it is open. */
export default function FindPanel({ editing, openings, params, readOnly }: PanelProps) {
  const queryMax = usePublicConfig()?.text_limits.search;
  const search = searchOf(editing);
  const state = useSyncExternalStore(search.subscribe, search.get);
  const { terms, current, problem, matcher, range, only, replacement } = state;
  const box = useRef<HTMLInputElement>(null);
  const second = useRef<HTMLInputElement>(null);
  // Counting matches may wait: a key press in a line must not.
  const lines = useDeferredValue(useView(editing.store, (view) => view.captions.lines));
  const all = useMemo(
    () => (matcher === null ? [] : search.in(lines)),
    // The scope is part of what `search.in` reads.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [search, lines, matcher, range, only],
  );

  useEffect(() => {
    const text = params["text"];
    void search.look(text === undefined ? {} : { query: text });
    return () => search.rest();
  }, [search, params]);
  const into = params["into"];
  useEffect(() => {
    if (openings === 0) return;
    const target = into === "replacement" ? second.current : box.current;
    target?.focus();
    target?.select();
  }, [openings, into]);

  const at = all.findIndex(({ line, start }) => line === current?.line && start === current.start);
  const count =
    at < 0
      ? t("find.count", { count: all.length })
      : t("find.place", { at: at + 1, count: all.length });
  const everywhere = () => {
    const done = replaceAll(editing);
    if (typeof done === "string") toast("warning", done);
    else if (done > 0) toast("success", t("find.replaced", { count: done }));
  };
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
        label={t("find.find")}
        value={terms.query}
        maxLength={queryMax}
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
          {terms.query !== "" && problem === null && count}
        </span>
        <ActionIcon
          aria-label={t("find.previous")}
          disabled={all.length === 0}
          onClick={() => findNext(editing, -1)}
        >
          <IconArrowUp size={17} />
        </ActionIcon>
        <ActionIcon type="submit" aria-label={t("find.next")} disabled={all.length === 0}>
          <IconArrowDown size={17} />
        </ActionIcon>
      </div>
      <TextInput
        ref={second}
        label={t("find.replaceWith")}
        description={terms.isPattern ? t("find.groupsHint") : undefined}
        value={replacement}
        maxLength={queryMax}
        disabled={readOnly}
        data-testid="find-replacement"
        onChange={(event) => search.set({ replacement: event.currentTarget.value })}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          event.preventDefault();
          replaceCurrent(editing);
        }}
      />
      <div className={styles.buttons}>
        <Button
          size="xs"
          variant="default"
          disabled={readOnly || all.length === 0}
          onClick={() => replaceCurrent(editing)}
        >
          {t("find.replace")}
        </Button>
        <Button
          size="xs"
          disabled={readOnly || all.length === 0}
          data-testid="replace-all"
          onClick={everywhere}
        >
          {t("find.replaceAll")}
        </Button>
      </div>
      <Options search={search} />
      <Selected search={search} editing={editing} />
      <Scope search={search} lines={lines.length} selected={() => placeOf(editing)} />
    </form>
  );
}

/** The number of the selected line, from 1. */
const placeOf = (editing: PanelProps["editing"]): number => {
  const { selected } = editing.getFocus();
  return (
    Math.max(
      0,
      editing.store.get().captions.lines.findIndex(({ id }) => id === selected),
    ) + 1
  );
};

function Options({ search }: { search: Search }) {
  const { terms } = useSyncExternalStore(search.subscribe, search.get);
  return (
    <>
      <Checkbox
        label={t("find.matchCase")}
        checked={terms.matchCase}
        onChange={(event) => void search.look({ matchCase: event.currentTarget.checked })}
      />
      <Checkbox
        label={t("find.wholeWords")}
        checked={terms.wholeWord}
        onChange={(event) => void search.look({ wholeWord: event.currentTarget.checked })}
      />
      <Checkbox
        label={t("find.pattern")}
        description={t("find.patternHint")}
        checked={terms.isPattern}
        onChange={(event) => void search.look({ isPattern: event.currentTarget.checked })}
      />
    </>
  );
}

/** Search only the lines that are selected now; a match that is gone to may then change the selection. */
function Selected({ search, editing }: { search: Search; editing: PanelProps["editing"] }) {
  const { only } = useSyncExternalStore(search.subscribe, search.get);
  const { many } = useSyncExternalStore(editing.subscribe, editing.getFocus);
  const count = only?.size ?? many.size;
  if (count < 2) return null;
  return (
    <Checkbox
      label={t("find.onlySelected", { count })}
      checked={only !== null}
      data-testid="find-selected"
      onChange={(event) => search.set({ only: event.currentTarget.checked ? many : null })}
    />
  );
}

interface ScopeProps {
  search: Search;
  lines: number;
  selected: () => number;
}

/** Which lines are searched: all, or those between two numbers. */
function Scope({ search, lines, selected }: ScopeProps) {
  const { range } = useSyncExternalStore(search.subscribe, search.get);
  const bound = (value: number | string, other: number): number =>
    typeof value === "number" ? Math.min(Math.max(1, value), Math.max(1, lines)) : other;
  return (
    <>
      <Checkbox
        label={t("find.onlyLines")}
        checked={range !== null}
        onChange={(event) =>
          search.set({ range: event.currentTarget.checked ? [selected(), lines] : null })
        }
      />
      {range !== null && (
        <div className={styles.range}>
          <NumberInput
            label={t("find.fromLine")}
            min={1}
            max={lines}
            value={range[0]}
            onChange={(value) => search.set({ range: [bound(value, range[0]), range[1]] })}
          />
          <NumberInput
            label={t("find.toLine")}
            min={1}
            max={lines}
            value={range[1]}
            onChange={(value) => search.set({ range: [range[0], bound(value, range[1])] })}
          />
        </div>
      )}
    </>
  );
}
