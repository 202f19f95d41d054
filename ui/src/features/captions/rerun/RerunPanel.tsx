import { Button, NumberInput, Progress, Select } from "@mantine/core";
import { useState, useSyncExternalStore } from "react";
import { EmptyState } from "../../../platform/page/EmptyState";
import { t } from "../../../platform/messages/editing";
import { toast } from "../../../platform/notices/toast";
import type { PanelProps } from "../../editor/panels/panel";
import { useView } from "../../editor/useView";
import {
  cancelRerun,
  decideRerun,
  dismissRerun,
  isBusy,
  startRerun,
  useRerun,
  type Rerun,
} from "./data";
import { Proposal } from "./Proposal";
import styles from "./rerun.module.css";

/** Transcribe the selected line, a range of lines or the whole file again, and choose line by line what to take. */
export default function RerunPanel({ file, editing, readOnly }: PanelProps) {
  const { store } = editing;
  const source = useView(store, (view) => view.captions.source_language);
  const { data, error, mutate } = useRerun(file.slug);
  if (source != null) return <p className={styles.rerun}>{t("together.rerunOriginal")}</p>;
  if (data === undefined) {
    return error === undefined ? (
      <EmptyState />
    ) : (
      <p className={styles.rerun} role="alert">
        {error.message}
      </p>
    );
  }
  const attempt = async (action: () => Promise<void>): Promise<void> => {
    try {
      if (await store.settled()) await action();
      else toast("warning", t("together.notSaved"));
    } catch (problem) {
      toast("error", (problem as Error).message);
    }
    await mutate();
  };
  if (isBusy(data)) {
    return (
      <div className={styles.rerun}>
        <p role="status">
          {data.state === "waiting"
            ? t("together.rerunWaiting")
            : t("together.rerunRunning", { progress: data.progress })}
        </p>
        <Progress value={data.progress} aria-label={t("together.rerun")} />
        <Button
          variant="default"
          onClick={() => void attempt(async () => void (await cancelRerun(file.slug)))}
        >
          {t("together.rerunStop")}
        </Button>
      </div>
    );
  }
  if (data.state === "ready") {
    return (
      <Proposal
        key={data.revision}
        rerun={data}
        editing={editing}
        readOnly={readOnly}
        onDismiss={() => void attempt(async () => void (await dismissRerun(file.slug)))}
        onApply={(choices) =>
          void attempt(async () => {
            const issued = store.get().captions.revision;
            store.expect(await decideRerun(file.slug, { issued, choices }));
            toast("success", t("together.rerunApplied"));
          })
        }
      />
    );
  }
  return (
    <div className={styles.rerun}>
      {data.state === "failed" && (
        <p role="alert" className={styles.problem}>
          {data.error ?? t("together.rerunFailed")}
        </p>
      )}
      <p className="quiet">{t("together.rerunExplain")}</p>
      {!readOnly && (
        <Scope
          editing={editing}
          rerun={data}
          onStart={(chosen) => void attempt(async () => void (await startRerun(file.slug, chosen)))}
        />
      )}
    </div>
  );
}

/** No name of an engine is empty. */
const USUAL = "";

interface ScopeProps {
  editing: PanelProps["editing"];
  rerun: Pick<Rerun, "usual" | "engines">;
  onStart: (chosen: { lines?: string[]; engine?: string }) => void;
}

function Scope({ editing, rerun: { usual, engines }, onStart }: ScopeProps) {
  const { selected, many } = useSyncExternalStore(editing.subscribe, editing.getFocus);
  const lines = useView(editing.store, (view) => view.captions.lines);
  const [from, setFrom] = useState(1);
  const [to, setTo] = useState(1);
  const [name, setName] = useState(USUAL);
  const chosen = engines.find((engine) => engine.name === name);
  const start = (ids?: string[]) =>
    onStart({ ...(ids && { lines: ids }), ...(chosen && { engine: chosen.name }) });
  const last = lines.length;
  const number = (value: string | number) => Math.min(last, Math.max(1, Number(value) || 1));
  return (
    <>
      {engines.length > 0 && (
        <Select
          label={t("together.rerunEngine")}
          description={chosen?.note}
          allowDeselect={false}
          value={chosen === undefined ? USUAL : name}
          onChange={(value) => setName(value ?? USUAL)}
          data={[
            { value: USUAL, label: t("together.rerunUsual", { label: usual ?? "" }) },
            ...engines.map((engine) => ({ value: engine.name, label: engine.label })),
          ]}
        />
      )}
      <Button
        data-testid="rerun-line"
        disabled={selected === null && many.size === 0}
        onClick={() => start(editing.selection().map(({ id }) => id))}
      >
        {t("together.rerunLine", { count: Math.max(1, many.size) })}
      </Button>
      <div className={styles.range}>
        <NumberInput
          label={t("together.rerunFrom")}
          min={1}
          max={last}
          value={from}
          onChange={(value) => setFrom(number(value))}
        />
        <NumberInput
          label={t("together.rerunTo")}
          min={1}
          max={last}
          value={to}
          onChange={(value) => setTo(number(value))}
        />
        <Button
          variant="default"
          disabled={to < from || last === 0}
          onClick={() => start(lines.slice(from - 1, to).map(({ id }) => id))}
        >
          {t("together.rerunSome")}
        </Button>
      </div>
      <Button variant="default" onClick={() => start()}>
        {t("together.rerunWhole")}
      </Button>
    </>
  );
}
