import { useMemo } from "react";
import useSWR from "swr";
import { api, unwrap, type Schemas } from "../../../platform/api/client";
import { limitOf } from "../../../platform/api/publicConfig";
import { keys } from "../../../platform/api/keys";
import { fetchReport, filled } from "../quality/data";
import { useTexts } from "../quality/LineMark";
import type { LineFinding, Spot } from "./spots";

type Kept = Schemas["ReviewOut"];

export function useKept(slug: string, language: string) {
  const { data, mutate } = useSWR<Kept, Error>(keys.review(slug, language), async () => {
    const params = { path: { key: slug }, query: { language } };
    return (await unwrap(api.GET("/api/files/captions/{key}/review", { params }))).data;
  });
  /** Mark spots as right. */
  const keep = async (spots: readonly Spot[]): Promise<void> => {
    const params = { path: { key: slug } };
    const body = {
      spots: spots
        .slice(0, limitOf("count_limits", "reviewed_spots"))
        .map(({ line, key }) => ({ line, key })),
      kept: true,
      language,
    };
    const { data: kept } = await unwrap(
      api.POST("/api/files/captions/{key}/review", { params, body }),
    );
    await mutate(kept, { revalidate: false });
  };
  return { kept: data?.kept, keep };
}

/** The errors that the quality rules find in the saved captions, line by line. */
export function useLineFindings(slug: string, language: string, revision: number): LineFinding[] {
  const texts = useTexts();
  const { data: report } = useSWR(
    [keys.review(slug, language), "quality", revision],
    () => fetchReport(slug, language),
    { keepPreviousData: true },
  );
  return useMemo(() => {
    if (report === undefined || texts === undefined) return NONE;
    return report.findings
      .filter(({ severity, lines }) => severity === "error" && lines.length > 0)
      .map(({ rule, values, lines, fix }) => ({
        line: lines[0] ?? "",
        rule,
        title: texts.titles[rule] ?? rule,
        sentence: filled(texts.sentences[rule], values),
        fix: fix ?? null,
        reason: fix == null ? "" : filled(texts.reasons[fix.reason_key], fix.values),
      }));
  }, [report, texts]);
}

const NONE: LineFinding[] = [];
