import { Button, CloseButton, Text } from "@mantine/core";
import { useState } from "react";
import { t } from "../../../platform/messages/editing";
import { toast } from "../../../platform/notices/toast";
import type { Editing } from "../../editor/editing";
import { useClock } from "../../editor/clock";
import { run } from "./actions";
import { pointSync, type SyncPoint, type SyncProblem } from "./times";
import styles from "./timing.module.css";

interface Point extends SyncPoint {
  number: number;
}

const PROBLEMS: Record<SyncProblem, string> = {
  points: t("timing.syncPoints"),
  order: t("timing.syncOrder"),
  factor: t("timing.syncFactor"),
  start: t("timing.syncStart"),
};

/** Points at which a line is known to be spoken; all lines move and stretch through them. */
export function PointSync({ editing, readOnly }: { editing: Editing; readOnly: boolean }) {
  const { show: stamp } = useClock();
  const [points, setPoints] = useState<Point[]>([]);
  const add = () => {
    const line = editing.chosen();
    if (line === undefined) {
      toast("warning", t("timing.selectFirst"));
      return;
    }
    const point = {
      number: editing.indexOf(line) + 1,
      from: line.start_ms,
      to: editing.playback.shownMs,
    };
    setPoints((held) =>
      [...held.filter(({ from }) => from !== point.from), point].sort((a, b) => a.from - b.from),
    );
  };
  const sync = () => {
    const changes = pointSync(editing.lines(), points);
    if (typeof changes === "string") toast("warning", PROBLEMS[changes]);
    else if (run(editing, t("timing.sync"), changes, { with_words: true })) setPoints([]);
  };
  return (
    <>
      <Button variant="default" disabled={readOnly} onClick={add}>
        {t("timing.addPoint")}
      </Button>
      {points.length > 0 && (
        <ul className={styles.points}>
          {points.map(({ number, from, to }) => (
            <li key={from}>
              <Text size="sm" className="tabular">
                {t("timing.point", { number, from: stamp(from), to: stamp(to) })}
              </Text>
              <CloseButton
                aria-label={t("timing.removePoint", { from: stamp(from) })}
                onClick={() => setPoints((held) => held.filter((one) => one.from !== from))}
              />
            </li>
          ))}
        </ul>
      )}
      <Button disabled={readOnly || points.length < 2} onClick={sync}>
        {t("timing.runSync")}
      </Button>
    </>
  );
}
