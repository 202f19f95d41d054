import { Button, Select } from "@mantine/core";
import { useState } from "react";
import { t } from "../../../platform/messages/editing";
import { toast } from "../../../platform/notices/toast";
import type { Editing } from "../../editor/editing";
import { run } from "./actions";
import { RATES } from "../../../domain/captions/timecode";
import { factorOf, scaled } from "./grid";
import styles from "./timing.module.css";

interface Props {
  editing: Editing;
  fps: number | null;
  readOnly: boolean;
}

/** Times of captions that were made for the same film at another rate, such as 25 for television. */
export function RateConversion({ editing, fps, readOnly }: Props) {
  const own = RATES.find((rate) => fps !== null && Math.abs(rate - fps) < 0.01) ?? 25;
  const [from, setFrom] = useState<number>(own === 25 ? 23.976 : 25);
  const [to, setTo] = useState<number>(own);
  const convert = () => {
    if (from === to) {
      toast("warning", t("timing.sameRate"));
      return;
    }
    const changes = scaled(editing.lines(), factorOf(from, to));
    run(editing, t("timing.convert"), changes, { with_words: true });
  };
  return (
    <>
      <div className={styles.pair}>
        <Rate label={t("timing.from")} rate={from} onChange={setFrom} />
        <Rate label={t("timing.to")} rate={to} onChange={setTo} />
      </div>
      <Button variant="default" disabled={readOnly} onClick={convert}>
        {t("timing.retime")}
      </Button>
    </>
  );
}

interface RateProps {
  label: string;
  rate: number;
  onChange: (rate: number) => void;
}

function Rate({ label, rate, onChange }: RateProps) {
  return (
    <Select
      label={label}
      data={RATES.map((each) => ({ value: String(each), label: t("timing.fps", { rate: each }) }))}
      value={String(rate)}
      allowDeselect={false}
      onChange={(value) => value !== null && onChange(Number(value))}
    />
  );
}
