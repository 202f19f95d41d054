import { Button } from "@mantine/core";
import { useSyncExternalStore } from "react";
import { t } from "../../../platform/i18n/en/timing";
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
    ["start", t("nudgeStart")],
    ["end", t("nudgeEnd")],
    ["both", t("nudgeBoth")],
    ["edge", t("nudgeEdge")],
    ["body", t("nudgeBody", { count: Math.max(1, many.size) })],
  ];
  const steps: [number, string][] = [
    [-TENTH_MS, t("tenth")],
    [-frame, t("frame")],
    [frame, t("frame")],
    [TENTH_MS, t("tenth")],
  ];
  const places: [string, () => void][] = [
    [t("hereStart"), () => editing.setEdge("start_ms")],
    [t("hereEnd"), () => editing.setEdge("end_ms")],
    [t("hereLine"), () => moveHere(editing, cascade)],
    [t("addHere"), () => addHere(editing)],
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
              aria-label={t(directionOf(what, by), { what: name, by: size })}
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
