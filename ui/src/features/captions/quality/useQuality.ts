import { useDebouncedValue } from "@mantine/hooks";
import { useEffect, useMemo, useSyncExternalStore } from "react";
import useSWR from "swr";
import { keys } from "../../../platform/api/keys";
import type { MediaFile } from "../../../domain/files/data";
import type { Editing } from "../../editor/editing";
import { useView } from "../../editor/useView";
import { fetchReport, useChosenProfile, useProfiles, useRules } from "./data";
import { qualityOf, type QualityState } from "../../editor/Quality";
import { leastGap } from "../../../domain/captions/quality/rules";
import type { Circumstances, Report } from "../../../domain/captions/quality/types";

export const useFindings = (editing: Editing): QualityState => {
  const quality = qualityOf(editing.store);
  return useSyncExternalStore(quality.subscribe, quality.get);
};

export const useAbout = (editing: Editing): Circumstances | undefined => {
  const quality = qualityOf(editing.store);
  return useSyncExternalStore(quality.subscribe, quality.getAbout);
};

/** From this many lines on, a report takes the server about a second, so it waits for a pause in the changes. */
const MANY_LINES = 2_000;
const PAUSE_MS = 3_000;

/** The revision whose report is worth fetching: the newest, or with many lines that of the last pause. */
export function useRevisionToJudge({ store }: Editing): number {
  const revision = useView(store, (view) => view.captions.revision);
  const isLong = useView(store, (view) => view.captions.lines.length >= MANY_LINES);
  const [paused] = useDebouncedValue(revision, PAUSE_MS);
  return isLong ? paused : revision;
}

/** Whether the open captions are a first translation that is being made: the server has no track of it yet. */
const useIsBegun = ({ store }: Editing): boolean =>
  useView(store, ({ captions }) => captions.is_live && captions.source_language !== null);

/** The server's report on what is saved: fixes, shot changes and characters without a font. */
export function useReport(file: MediaFile, editing: Editing) {
  const language = useView(editing.store, (view) => view.captions.language);
  const revision = useRevisionToJudge(editing);
  const isSaved = useView(editing.store, (view) => view.save.kind === "saved");
  const isLive = useView(editing.store, (view) => view.captions.is_live);
  const profile = useChosenProfile(file.slug, language, useIsBegun(editing)).data?.profile;
  const ready = isSaved && !isLive && profile !== undefined;
  return useSWR<Report, Error>(
    ready ? keys.report(file.slug, `${language}/${profile}/${revision}`) : null,
    () => fetchReport(file.slug, language),
    { revalidateOnFocus: false, keepPreviousData: true },
  );
}

/** Judge the open captions by their profile; mounted once in the editor. */
export function useJudging(file: MediaFile, editing: Editing, report: Report | undefined): void {
  const language = useView(editing.store, (view) => view.captions.language);
  const rules = useRules();
  const { data: profiles } = useProfiles();
  const profile = useChosenProfile(file.slug, language, useIsBegun(editing)).data?.profile;
  const limits = profiles?.find(({ id }) => id === profile)?.limits;
  const cuts = useSame(report?.cuts_ms);
  const undrawable = useSame(report?.undrawable);
  const about = useMemo((): Circumstances | undefined => {
    if (limits === undefined || rules === undefined) return undefined;
    const code = language.split("-")[0]?.toLowerCase() ?? "";
    return {
      ...{ limits, code, cuts },
      gapMs: leastGap(limits, file.fps),
      undrawable: new Set(undrawable as string[]),
      leaning: new Set(rules.leaning[code] ?? rules.leaning_anywhere),
    };
  }, [cuts, file.fps, language, limits, rules, undrawable]);
  useEffect(() => qualityOf(editing.store).judgeBy(about), [about, editing]);
}

const NONE: readonly never[] = [];

/** The list as the same object while its values stay the same: every report brings new ones. */
function useSame<T extends string | number>(list: readonly T[] | undefined): readonly T[] {
  const text = JSON.stringify(list ?? NONE);
  return useMemo(() => JSON.parse(text) as T[], [text]);
}
