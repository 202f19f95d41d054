import { Button, NumberInput, Radio, Stack, Text } from "@mantine/core";
import { useState, useSyncExternalStore, type ReactNode } from "react";
import { t } from "../../../platform/messages/editing";
import { toast } from "../../../platform/notices/toast";
import type { PanelProps } from "../../editor/panels/panel";
import type { Line } from "../../../domain/captions/types";
import { useClock, type Clock } from "../../editor/clock";
import { useView } from "../../editor/useView";
import { NudgePad } from "./NudgePad";
import { PointSync } from "./PointSync";
import { ShotSearch } from "./ShotSearch";
import { EXTEND_GAP_MS, extended, pulled, shifted, untilNext } from "./times";
import { run } from "./actions";
import { ClockSettings } from "./ClockSettings";
import { onGrid, snapped } from "./grid";
import { RateConversion } from "./RateConversion";
import { TypingSettings } from "./TypingSettings";
import { WaveSettings } from "./WaveSettings";
import styles from "./timing.module.css";

type Move = "ends" | "starts" | "next" | "grid";
const MOVES: Record<Move, string> = {
  ends: t("timing.extendEnds"),
  starts: t("timing.pullStarts"),
  next: t("timing.toNext"),
  grid: t("timing.onGrid"),
};

type Scope = "all" | "here" | "selection";
const LONGEST_MS = 7_000;
const OFFSET_MAX_MS = 359_999_999;

/** Shift, extend and synchronise many lines, each as one step of the history. */
export default function TimingPanel({ editing, file, readOnly }: PanelProps) {
  const lines = useView(editing.store, (view) => view.captions.lines);
  const focus = useSyncExternalStore(editing.subscribe, editing.getFocus);
  const [scope, setScope] = useState<Scope>("all");
  const clock = useClock();
  const { frames } = clock;
  const offset = useLength("offset", 500, clock);
  const by = useLength("by", 200, clock);
  const gap = useLength("gap", EXTEND_GAP_MS, clock);
  const count = Math.max(focus.many.size, focus.selected === null ? 0 : 1);

  const ids = (): ReadonlySet<string> => {
    const chosen = editing.selection();
    const first = chosen[0];
    const wanted: Record<Scope, () => readonly Line[]> = {
      all: () => lines,
      here: () => (first === undefined ? [] : lines.slice(lines.indexOf(first))),
      selection: () => chosen,
    };
    return new Set(wanted[scope]().map(({ id }) => id));
  };
  const check = (chosen: ReadonlySet<string>): boolean => {
    if (chosen.size > 0) return true;
    toast("warning", t("timing.selectFirst"));
    return false;
  };
  const shift = () => {
    const chosen = ids();
    if (!check(chosen)) return;
    const changes = snapped(shifted(lines, chosen, offset.ms), frames);
    run(editing, t("timing.shift"), changes, { with_words: true });
  };
  const move = (kind: Move) => {
    const chosen = ids();
    if (!check(chosen)) return;
    const changes = {
      ends: () => extended(lines, chosen, by.ms),
      starts: () => pulled(lines, chosen, by.ms),
      next: () => untilNext(lines, chosen, { gap: gap.ms, most: LONGEST_MS }),
      grid: () => (frames === undefined ? [] : onGrid(lines, chosen, frames)),
    };
    run(editing, MOVES[kind], snapped(changes[kind](), frames));
  };

  return (
    <Stack gap="md" className={styles.panel}>
      <section className={styles.part}>
        <h3>{t("clock.title")}</h3>
        <ClockSettings file={file} mayChange={!readOnly} />
      </section>
      <section className={styles.part}>
        <h3>{t("timing.nudge")}</h3>
        <NudgePad editing={editing} readOnly={readOnly} />
      </section>
      <Radio.Group
        label={t("timing.which")}
        description={t("timing.selectHint")}
        value={scope}
        onChange={(value) => setScope(value as Scope)}
      >
        <Stack gap={6} mt={6}>
          <Radio value="all" label={t("timing.all")} />
          <Radio value="here" label={t("timing.here")} />
          <Radio value="selection" label={t("timing.selection", { count })} />
        </Stack>
      </Radio.Group>
      <Part title={t("timing.shift")} hint={t("timing.shiftHint")}>
        <NumberInput {...offset.input} min={-OFFSET_MAX_MS} max={OFFSET_MAX_MS} />
        <Button disabled={readOnly || offset.ms === 0} onClick={shift} data-testid="shift">
          {t("timing.shift")}
        </Button>
      </Part>
      <Part title={t("timing.extend")} hint={t("timing.extendHint")}>
        <NumberInput {...by.input} min={-OFFSET_MAX_MS} max={OFFSET_MAX_MS} />
        <div className={styles.pair}>
          <Button variant="default" disabled={readOnly} onClick={() => move("starts")}>
            {t("timing.pullStarts")}
          </Button>
          <Button variant="default" disabled={readOnly} onClick={() => move("ends")}>
            {t("timing.extendEnds")}
          </Button>
        </div>
        <NumberInput {...gap.input} min={0} max={5_000} />
        <Button variant="default" disabled={readOnly} onClick={() => move("next")}>
          {t("timing.toNext")}
        </Button>
      </Part>
      {frames !== undefined && (
        <Part title={t("timing.onGrid")} hint={t("timing.onGridHint")}>
          <Button variant="default" disabled={readOnly} onClick={() => move("grid")}>
            {t("timing.onGrid")}
          </Button>
        </Part>
      )}
      <Part title={t("timing.convert")} hint={t("timing.convertHint")}>
        <RateConversion editing={editing} fps={file.fps} readOnly={readOnly} />
      </Part>
      <Part title={t("timing.sync")} hint={t("timing.syncHint")}>
        <PointSync editing={editing} readOnly={readOnly} />
      </Part>
      {file.kind === "video" && (
        <Part title={t("timing.shots")} hint={t("timing.shotsHint")}>
          <ShotSearch file={file} readOnly={readOnly} />
        </Part>
      )}
      <Part title={t("timing.wave")} hint={t("timing.waveHint")}>
        <WaveSettings file={file} />
      </Part>
      <Part title={t("timing.typing")} hint={t("timing.typingHint")}>
        <TypingSettings />
      </Part>
    </Stack>
  );
}

const LABELS = {
  offset: { ms: t("timing.offset"), frames: t("timing.offsetFrames"), step: 100 },
  by: { ms: t("timing.by"), frames: t("timing.byFrames"), step: 50 },
  gap: { ms: t("timing.gap"), frames: t("timing.gapFrames"), step: 20 },
};

/** A length that is typed in milliseconds or in frames; each unit keeps a value of its own. */
function useLength(name: keyof typeof LABELS, usualMs: number, { kind, frames }: Clock) {
  const [typed, setTyped] = useState<Partial<Record<Clock["kind"], number | string>>>({});
  const unit = frames?.lengthMs ?? 1;
  const value = typed[kind] ?? Math.max(1, Math.round(usualMs / unit));
  return {
    ms: Math.round(Number(value) * unit),
    input: {
      label: LABELS[name][kind],
      value,
      step: kind === "ms" ? LABELS[name].step : 1,
      allowDecimal: false,
      onChange: (next: number | string) => setTyped((held) => ({ ...held, [kind]: next })),
    },
  };
}

function Part({ title, hint, children }: { title: string; hint: string; children: ReactNode }) {
  return (
    <section className={styles.part}>
      <h3>{title}</h3>
      <Text size="sm" className="quiet">
        {hint}
      </Text>
      {children}
    </section>
  );
}
