import { Button, NumberInput, Radio, Stack, Text } from "@mantine/core";
import { useState, useSyncExternalStore, type ReactNode } from "react";
import { t } from "../../../platform/messages/editing";
import { toast } from "../../../platform/notices/toast";
import type { PanelProps } from "../../editor/panels/panel";
import type { Line } from "../../../domain/captions/types";
import { useView } from "../../editor/useView";
import { NudgePad } from "./NudgePad";
import { PointSync } from "./PointSync";
import { ShotSearch } from "./ShotSearch";
import { EXTEND_GAP_MS, extended, pulled, shifted, untilNext } from "./times";
import { run } from "./actions";
import { TypingSettings } from "./TypingSettings";
import styles from "./timing.module.css";

type Scope = "all" | "here" | "selection";
const LONGEST_MS = 7_000;
const OFFSET_MAX_MS = 359_999_999;

/** Shift, extend and synchronise many lines, each as one step of the history. */
export default function TimingPanel({ editing, file, readOnly }: PanelProps) {
  const lines = useView(editing.store, (view) => view.captions.lines);
  const focus = useSyncExternalStore(editing.subscribe, editing.getFocus);
  const [scope, setScope] = useState<Scope>("all");
  const [offset, setOffset] = useState<number | string>(500);
  const [by, setBy] = useState<number | string>(200);
  const [gap, setGap] = useState<number | string>(EXTEND_GAP_MS);
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
    run(editing, t("timing.shift"), shifted(lines, chosen, Number(offset)), { with_words: true });
  };
  const move = (kind: "ends" | "starts" | "next") => {
    const chosen = ids();
    if (!check(chosen)) return;
    if (kind === "ends") run(editing, t("timing.extendEnds"), extended(lines, chosen, Number(by)));
    else if (kind === "starts")
      run(editing, t("timing.pullStarts"), pulled(lines, chosen, Number(by)));
    else
      run(
        editing,
        t("timing.toNext"),
        untilNext(lines, chosen, { gap: Number(gap), most: LONGEST_MS }),
      );
  };

  return (
    <Stack gap="md" className={styles.panel}>
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
        <NumberInput
          label={t("timing.offset")}
          value={offset}
          onChange={setOffset}
          step={100}
          min={-OFFSET_MAX_MS}
          max={OFFSET_MAX_MS}
          allowDecimal={false}
        />
        <Button disabled={readOnly || Number(offset) === 0} onClick={shift} data-testid="shift">
          {t("timing.shift")}
        </Button>
      </Part>
      <Part title={t("timing.extend")} hint={t("timing.extendHint")}>
        <NumberInput
          label={t("timing.by")}
          value={by}
          onChange={setBy}
          step={50}
          min={-OFFSET_MAX_MS}
          max={OFFSET_MAX_MS}
          allowDecimal={false}
        />
        <div className={styles.pair}>
          <Button variant="default" disabled={readOnly} onClick={() => move("starts")}>
            {t("timing.pullStarts")}
          </Button>
          <Button variant="default" disabled={readOnly} onClick={() => move("ends")}>
            {t("timing.extendEnds")}
          </Button>
        </div>
        <NumberInput
          label={t("timing.gap")}
          value={gap}
          onChange={setGap}
          step={20}
          min={0}
          max={5_000}
          allowDecimal={false}
        />
        <Button variant="default" disabled={readOnly} onClick={() => move("next")}>
          {t("timing.toNext")}
        </Button>
      </Part>
      <Part title={t("timing.sync")} hint={t("timing.syncHint")}>
        <PointSync editing={editing} readOnly={readOnly} />
      </Part>
      {file.kind === "video" && (
        <Part title={t("timing.shots")} hint={t("timing.shotsHint")}>
          <ShotSearch file={file} readOnly={readOnly} />
        </Part>
      )}
      <Part title={t("timing.typing")} hint={t("timing.typingHint")}>
        <TypingSettings />
      </Part>
    </Stack>
  );
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
