import { Button } from "@mantine/core";
import { useSyncExternalStore } from "react";
import { t } from "../../../platform/messages/editing";
import type { Editing } from "../../editor/editing";
import { useEditorSettings } from "../../editor/useEditorSettings";
import { addHere, moveHere, nudge } from "./actions";
import { TENTH_MS, type Nudged } from "./nudge";
import styles from "./timing.module.css";

interface Props {
  editing: Editing;
  readOnly: boolean;
}

/** Every move that a drag on the waveform makes, as buttons: WCAG 2.5.7 wants a way without dragging. */
export function NudgePad({ editing, readOnly }: Props) {
  const { cascade } = useEditorSettings().settings;
  const { many } = useSyncExternalStore(editing.subscribe, editing.getFocus);
  const frame = editing.playback.frameMs;
  const rows: [Nudged, string][] = [
    ["start", t("timing.nudgeStart")],
    ["end", t("timing.nudgeEnd")],
    ["both", t("timing.nudgeBoth")],
    ["edge", t("timing.nudgeEdge")],
    ["body", t("timing.nudgeBody", { count: Math.max(1, many.size) })],
  ];
  const steps: [number, string][] = [
    [-TENTH_MS, t("timing.tenth")],
    [-frame, t("timing.frame")],
    [frame, t("timing.frame")],
    [TENTH_MS, t("timing.tenth")],
  ];
  const places: [string, () => void][] = [
    [t("timing.hereStart"), () => editing.setEdge("start_ms")],
    [t("timing.hereEnd"), () => editing.setEdge("end_ms")],
    [t("timing.hereLine"), () => moveHere(editing, cascade)],
    [t("timing.addHere"), () => addHere(editing)],
  ];
  return (
    <div className={styles.pad} data-testid="nudge-pad">
      {rows.map(([what, name]) => (
        <div key={what} className={styles.padRow} role="group" aria-label={name}>
          <span>{name}</span>
          {steps.map(([by, size]) => (
            <Button
              key={by}
              variant="default"
              size="compact-xs"
              h={26}
              px={4}
              disabled={readOnly}
              aria-label={t(`timing.${directionOf(what, by)}`, { what: name, by: size })}
              onClick={() => nudge(editing, what, by, cascade)}
            >
              {by < 0 ? "−" : "+"}
              {size}
            </Button>
          ))}
        </div>
      ))}
      <div className={styles.pair}>
        {places.map(([name, run]) => (
          <Button
            key={name}
            variant="default"
            size="compact-sm"
            h="auto"
            mih={28}
            px={6}
            classNames={{ label: styles.label }}
            disabled={readOnly}
            onClick={run}
          >
            {name}
          </Button>
        ))}
      </div>
    </div>
  );
}

const directionOf = (what: Nudged, by: number) =>
  what === "both" ? (by < 0 ? "shorter" : "longer") : by < 0 ? "earlier" : "later";
