import { Alert, Button, Progress } from "@mantine/core";
import { useSyncExternalStore } from "react";
import { t } from "../../../platform/messages/aitext";
import { EmptyState } from "../../../platform/page/EmptyState";
import { toast } from "../../../platform/notices/toast";
import type { Editing } from "../../editor/editing";
import type { PanelProps } from "../../editor/panels/panel";
import { useView } from "../../editor/useView";
import { isReading, useProofreading, type Task } from "./data";
import { Proposals } from "./Proposals";
import styles from "./proofreading.module.css";

/** Have a model read the captions, and accept what it proposes. */
export default function ProofreadingPanel({ file, editing, readOnly }: PanelProps) {
  const language = useView(editing.store, (view) => view.captions.language);
  const { data, error, start, cancel } = useProofreading(file.slug, language);
  if (error !== undefined) return <Alert color="red">{error.message}</Alert>;
  if (data === undefined) return <EmptyState />;
  const reading = isReading(data);
  const attempt = (call: () => Promise<void>) =>
    void call().catch((problem: Error) => toast("error", problem.message));
  const read = async (task: Task, lines?: string[]) => {
    // The server reads what it has: the newest text must be there.
    if (await editing.store.settled()) await start(task, lines);
  };
  return (
    <div className={styles.panel}>
      <p className="quiet">{t("proofreading.intro")}</p>
      {reading ? (
        <section aria-live="polite">
          <p>{t("proofreading.running")}</p>
          <Progress value={data?.progress ?? 0} aria-label={t("proofreading.running")} />
          <Button size="xs" variant="default" mt="xs" onClick={() => attempt(cancel)}>
            {t("proofreading.cancel")}
          </Button>
        </section>
      ) : (
        <>
          <Button
            size="sm"
            disabled={readOnly}
            data-testid="proofread"
            onClick={() => attempt(() => read("correct"))}
          >
            {data === null ? t("proofreading.start") : t("proofreading.again")}
          </Button>
          <OneLine
            editing={editing}
            readOnly={readOnly}
            onRead={(task, line) => attempt(() => read(task, [line]))}
          />
        </>
      )}
      {data?.status === "failed" && (
        <Alert color="red">{data.error ?? t("proofreading.failed")}</Alert>
      )}
      {data?.status === "cancelled" && <p className="quiet">{t("proofreading.cancelled")}</p>}
      {data?.status === "ready" && (
        <>
          <p className="quiet">
            {data.is_by_rules
              ? t("proofreading.rules")
              : t("proofreading.model", { engine: data.engine })}
          </p>
          {data.notes.map((note) => (
            <p key={note} className="quiet">
              {note}
            </p>
          ))}
          <Proposals proofreading={data} editing={editing} readOnly={readOnly} />
        </>
      )}
    </div>
  );
}

interface OneLineProps {
  editing: Editing;
  readOnly: boolean;
  onRead: (task: Task, line: string) => void;
}

/** Quick actions on the selected line. */
function OneLine({ editing, readOnly, onRead }: OneLineProps) {
  const { selected } = useSyncExternalStore(editing.subscribe, editing.getFocus);
  if (selected === null) return null;
  return (
    <div className={styles.buttons}>
      <span className="quiet">{t("proofreading.line")}</span>
      <Button
        size="compact-sm"
        variant="default"
        disabled={readOnly}
        onClick={() => onRead("correct", selected)}
      >
        {t("proofreading.fixLine")}
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        disabled={readOnly}
        onClick={() => onRead("shorten", selected)}
      >
        {t("proofreading.shorten")}
      </Button>
    </div>
  );
}
