import { Button, NumberInput, Select } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { useMemo, useState, useSyncExternalStore } from "react";
import { newestQuery, useFiles, type MediaFile } from "../../../domain/files/data";
import { useLanguages } from "../../../domain/languages/languages";
import { useSession } from "../../../domain/person/session";
import { useWorkspace } from "../../../domain/teams/workspace";
import { t } from "../../../platform/messages/editing";
import { useClock } from "../../editor/clock";
import type { PanelProps } from "../../editor/panels/panel";
import { usePlayback } from "../../editor/playback/usePlayback";
import { useCaptions } from "../../editor/track/useCaptions";
import { useView } from "../../editor/useView";
import { nearby } from "./nearby";
import styles from "./reference.module.css";

/** How often the list follows what plays. */
const STEP_MS = 250;

interface Reference {
  slug: string;
  /** Null for the original. */
  language: string | null;
  label: string;
  /** Milliseconds by which it comes later than the captions that one works on. */
  later: number;
}

/** Other captions beside these: another language, or another file, at the time of the selected line. */
export default function ReferencePanel({ file, editing, readOnly }: PanelProps) {
  const { store, playback } = editing;
  const clock = useClock();
  const [chosen, choose] = useLocalStorage<Reference | null>({
    // Of this person: its label is the name of a file that another person may not see.
    key: `sagascript.reference.${useSession().user?.id ?? ""}.${file.slug}`,
    defaultValue: null,
  });
  const lines = useView(store, (view) => view.captions.lines);
  const { selected } = useSyncExternalStore(editing.subscribe, editing.getFocus);
  const line = useMemo(() => lines.find(({ id }) => id === selected), [lines, selected]);
  // A selected line holds the list still while it plays.
  const start = usePlayback(playback, ({ nowMs }) =>
    line === undefined ? Math.floor(nowMs / STEP_MS) * STEP_MS : line.start_ms,
  );
  const { data, error } = useCaptions(
    chosen && { slug: chosen.slug, language: chosen.language ?? undefined },
  );
  const shown =
    chosen === null || data === undefined
      ? []
      : nearby(data.lines, { start_ms: start, end_ms: line?.end_ms ?? start + 1 }, chosen.later);
  const then = shown.filter(({ isThen }) => isThen).map((one) => one.line.text);
  return (
    <div className={styles.reference}>
      <Choice file={file} chosen={chosen} onChoose={choose} />
      {chosen === null && <p className="quiet">{t("reference.none")}</p>}
      {error !== undefined && <p role="alert">{error.message}</p>}
      {chosen !== null && (
        <>
          <NumberInput
            label={t("reference.later")}
            description={t("reference.laterHint")}
            value={chosen.later / 1_000}
            decimalScale={3}
            step={0.1}
            onChange={(seconds) => {
              if (typeof seconds === "number")
                choose({ ...chosen, later: Math.round(seconds * 1_000) });
            }}
          />
          {line !== undefined && !readOnly && (
            <Button
              variant="light"
              disabled={then.length === 0 || line.locked}
              onClick={() =>
                editing.change(t("reference.use"), {
                  changes: [{ line: line.id, content: then.join("\n") }],
                })
              }
            >
              {t("reference.use")}
            </Button>
          )}
          <ol className={styles.lines} aria-label={chosen.label}>
            {shown.map((one) => (
              <li key={one.line.id} aria-current={one.isThen ? "true" : undefined}>
                <button type="button" onClick={() => playback.goTo(Math.max(0, one.at))}>
                  <span className="quiet tabular">{clock.show(Math.max(0, one.at))}</span>
                  <span dir="auto" lang={data?.language}>
                    {one.line.text}
                  </span>
                </button>
              </li>
            ))}
          </ol>
          {data !== undefined && then.length === 0 && (
            <p className="quiet" role="status">
              {t("reference.silent")}
            </p>
          )}
        </>
      )}
    </div>
  );
}

interface ChoiceProps {
  file: MediaFile;
  chosen: Reference | null;
  onChoose: (reference: Reference | null) => void;
}

/** Which captions: those of this file first, then those of files whose names one types. */
function Choice({ file, chosen, onChoose }: ChoiceProps) {
  const [search, setSearch] = useState("");
  const workspace = useWorkspace();
  const { data } = useFiles({ ...newestQuery(workspace), q: search, page: 1, per_page: 20 });
  const { label } = useLanguages();
  const groups = useMemo(() => {
    const others = (data?.data ?? []).filter(({ slug }) => slug !== file.slug);
    return [
      { group: t("reference.here"), items: tracksOf(file, label) },
      {
        group: t("reference.others"),
        items: others.flatMap((one) =>
          tracksOf(one, (language) => `${one.name} · ${label(language)}`),
        ),
      },
    ];
  }, [data, file, label]);
  const value = chosen === null ? null : valueOf(chosen);
  const isListed = groups.some(({ items }) => items.some((item) => item.value === value));
  // What was chosen stays in the list, whatever one types.
  const kept =
    chosen === null || value === null || isListed
      ? []
      : [{ group: t("reference.chosen"), items: [{ value, label: chosen.label }] }];
  return (
    <Select
      label={t("reference.choose")}
      data={[...kept, ...groups].filter(({ items }) => items.length > 0)}
      value={value}
      searchable
      clearable
      nothingFoundMessage={t("reference.nothing")}
      onSearchChange={setSearch}
      filter={({ options }) => options}
      onChange={(next, option) => {
        if (next === null) {
          onChoose(null);
          return;
        }
        const [slug = "", language = ""] = next.split("|");
        const later = chosen?.slug === slug ? chosen.later : 0;
        onChoose({
          slug,
          language: language === "" ? null : language,
          label: option?.label ?? "",
          later,
        });
      }}
    />
  );
}

const valueOf = ({ slug, language }: Pick<Reference, "slug" | "language">): string =>
  `${slug}|${language ?? ""}`;

/** The captions of a file in each of its languages. */
function tracksOf(
  file: MediaFile,
  label: (language: string) => string,
): { value: string; label: string }[] {
  return [
    { value: valueOf({ slug: file.slug, language: null }), label: label(file.language) },
    ...file.translations
      .filter(({ has_lines }) => has_lines)
      .map(({ language }) => ({
        value: valueOf({ slug: file.slug, language }),
        label: label(language),
      })),
  ];
}
