import { Alert, Button, Progress, Slider } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import { t } from "../../../platform/messages/quality";
import { useGlossary } from "../../../domain/glossary/data";
import { useKnownWords } from "../../../domain/glossary/words";
import { toast } from "../../../platform/notices/toast";
import type { PanelProps } from "../../editor/panels/panel";
import { useRevisionToJudge } from "../quality/useQuality";
import { spellingOf } from "../spelling/Spelling";
import {
  useMoreDictionaries,
  useSpellingChoice,
  useSpellingState,
  useSpellingVersion,
} from "../spelling/useSpelling";
import { wordsOf } from "../spelling/words";
import { useView } from "../../editor/useView";
import { useKept, useLineFindings } from "./data";
import { GroupCard } from "./GroupCard";
import { BREAK_MS, progressOf, type Pace } from "./progress";
import { openGroups, type Spot, type SpotGroup } from "./spots";
import styles from "./review.module.css";

const LISTED_MAX = 100;
const KEY = "Ctrl+.";

/** Walks through doubtful words, names spelled two ways, broken rules and stale translations, the most useful first. */
export default function ReviewPanel({ file, editing, readOnly, openings, params }: PanelProps) {
  const language = useView(editing.store, (view) => view.captions.language);
  const [threshold, setThreshold] = useLocalStorage({ key: "sagascript.doubt", defaultValue: 60 });
  const { groups, done, pace, keep, count, isChecked } = useQueue(
    { file, editing, readOnly },
    language,
    threshold / 100,
  );
  const [at, setAt] = useState<{ id: string; spot: number }>();
  const group = groups.find(({ id }) => id === at?.id) ?? groups[0];
  const place =
    group === undefined || group.id !== at?.id ? 0 : Math.min(at.spot, group.spots.length - 1);
  const open = groups.reduce((sum, { spots }) => sum + spots.length, 0);
  const { percent, minutes } = progressOf(done, open, groups.length, pace);

  const show = (chosen: SpotGroup | undefined, spot: number) => {
    const target = chosen?.spots[spot];
    if (chosen === undefined || target === undefined) return;
    setAt({ id: chosen.id, spot });
    editing.select(target.line);
    const line = editing.store.get().captions.lines.find(({ id }) => id === target.line);
    if (line !== undefined && !editing.playback.playing) editing.playback.seek(line.start_ms);
  };
  const next = () => {
    if (group === undefined) return;
    const isShown = at?.id === group.id;
    if (!isShown) show(group, 0);
    else if (place + 1 < group.spots.length) show(group, place + 1);
    else show(groups[(groups.indexOf(group) + 1) % groups.length], 0);
  };
  const go = params["go"];
  const gone = useRef(0);
  const hasGroups = group !== undefined;
  useEffect(() => {
    if (go !== "next" || !hasGroups || gone.current === openings) return;
    gone.current = openings;
    next();
    // Only a press of the key goes on, once there is something to go to.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [openings, go, hasGroups]);

  const decided = (spots: readonly Spot[]) => {
    count(spots.length);
    const following = groups[groups.findIndex(({ id }) => id === group?.id) + 1];
    if (group !== undefined && spots.length >= group.spots.length) show(following, 0);
  };
  return (
    <div className={styles.review}>
      <div>
        <p className={styles.header} role="status" data-testid="review-progress">
          <b>{t("review.progress", { percent })}</b>
          {groups.length > 0 && <span className="quiet">{t("review.left", { minutes })}</span>}
        </p>
        <Progress value={percent} aria-label={t("review.progress", { percent })} />
      </div>
      <div>
        <p id="doubt-label">{t("review.threshold", { percent: threshold })}</p>
        <Slider
          aria-labelledby="doubt-label"
          thumbProps={{ "aria-labelledby": "doubt-label" }}
          min={30}
          max={95}
          step={5}
          label={null}
          value={threshold}
          onChange={setThreshold}
        />
      </div>
      {!isChecked && <p className="quiet">{t("review.noDictionary")}</p>}
      {group === undefined ? (
        <Alert color="green" title={t("review.done")}>
          {t("review.doneHint")}
        </Alert>
      ) : (
        <>
          <GroupCard
            key={group.id}
            slug={file.slug}
            group={group}
            at={place}
            editing={editing}
            readOnly={readOnly}
            onShow={(spot) => show(group, spot)}
            onKeep={(spots) =>
              void keep(spots)
                .then(() => decided(spots))
                .catch((error: Error) => toast("error", error.message))
            }
            onFixed={decided}
          />
          <Button
            variant="default"
            size="xs"
            onClick={next}
            title={t("review.nextKey", { key: KEY })}
          >
            {t("review.next")}
          </Button>
          <p className="quiet">{t("review.open", { groups: groups.length })}</p>
          <ul className={styles.list} aria-label={t("review.list")}>
            {groups.slice(0, LISTED_MAX).map((each) => (
              <li key={each.id}>
                <button
                  type="button"
                  className={styles.entry}
                  data-current={each.id === group.id || undefined}
                  onClick={() => show(each, 0)}
                >
                  <b>{each.word}</b>
                  <span className="quiet">
                    {t(`review.${each.kind}`)} · {t("review.times", { count: each.spots.length })}
                  </span>
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

/** The open groups, what is done, and ways to decide. */
function useQueue(
  { file, editing, readOnly }: Pick<PanelProps, "file" | "editing" | "readOnly">,
  language: string,
  threshold: number,
) {
  const spelling = spellingOf(editing);
  const [isOn] = useSpellingChoice();
  const [also] = useMoreDictionaries();
  const state = useSpellingState(spelling);
  const version = useDeferredValue(useSpellingVersion(spelling));
  const lines = useDeferredValue(useView(editing.store, (view) => view.captions.lines));
  const revision = useRevisionToJudge(editing);
  const findings = useLineFindings(file.slug, language, revision);
  const { kept, keep } = useKept(file.slug, language);
  const { data: terms } = useGlossary();
  const { data: words } = useKnownWords();
  const [fixed, setFixed] = useState(0);
  const [pace, setPace] = useState<Pace & { last: number }>({ decisions: 0, spentMs: 0, last: 0 });
  useEffect(() => {
    if (isOn && !readOnly) spelling.start(language, also);
  }, [isOn, readOnly, spelling, language, also]);
  const known = useMemo(() => {
    const texts = [
      ...(terms ?? []).flatMap(({ source, target }) => [source, target]),
      ...(words ?? []).map(({ word }) => word),
    ];
    return new Set(texts.flatMap((text) => wordsOf(text).map(({ word }) => word)));
  }, [terms, words]);
  const groups = useMemo(
    () =>
      kept === undefined
        ? []
        : openGroups({
            lines,
            threshold,
            isWrong: (word) => spelling.isWrong(word),
            isKnown: (word) => known.has(word),
            findings,
            kept: new Set(kept.map(({ line, key }) => `${line}|${key}`)),
          }),
    // Verdicts of the spelling check arrive while nothing else changes.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [lines, threshold, spelling, version, known, findings, kept],
  );
  const count = (spots: number) => {
    setFixed((held) => held + spots);
    setPace((held) => {
      const now = Date.now();
      const spent = held.last === 0 ? 0 : Math.min(now - held.last, BREAK_MS);
      return { decisions: held.decisions + 1, spentMs: held.spentMs + spent, last: now };
    });
  };
  // Spots kept in this visit are counted by the server's marks already.
  const [keptHere, setKeptHere] = useState(0);
  const keepAll = async (spots: readonly Spot[]) => {
    await keep(spots);
    setKeptHere((held) => held + spots.length);
  };
  const done = (kept?.length ?? 0) + fixed - keptHere;
  return { groups, done, pace, keep: keepAll, count, isChecked: state === "ready" };
}
