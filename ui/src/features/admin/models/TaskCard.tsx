import { Alert, Progress } from "@mantine/core";
import { t } from "../../../platform/messages/admin";
import { SeverityBadge } from "../../../platform/page/SeverityBadge";
import { TASK_STATES } from "../../models/taskStates";
import { moment } from "../list/words";
import { Replicas } from "./Replicas";
import type { Loaded } from "./data";
import styles from "./models.module.css";

/** One task: what runs it, where, why this one, or why none. */
export function TaskCard({ task }: { task: Loaded }) {
  const { words, severity } = TASK_STATES[task.state];
  const facts: [string, string | null][] = [
    [t("models.runsOn"), task.device],
    [t("models.from"), task.model],
    [t("models.licence"), task.licence],
    [t("models.languages"), languagesOf(task)],
    [t("models.since"), task.changed_at === null ? null : moment(task.changed_at)],
  ];
  const shown = facts.filter(([, value]) => value !== null);
  return (
    <article className={`card ${styles.task}`} aria-label={task.title}>
      <header>
        <h2>{task.title}</h2>
        <SeverityBadge severity={severity}>{words}</SeverityBadge>
      </header>
      <p>
        <strong>{task.label ?? t("models.none")}</strong>
      </p>
      {task.profile_problem !== null && <Alert color="yellow">{task.profile_problem}</Alert>}
      {[task.sentence, task.reason, task.note].map(
        (text) =>
          text && (
            <p key={text} className="quiet">
              {text}
            </p>
          ),
      )}
      {task.by_language.map((engine) => (
        <section key={engine.label} aria-label={engine.label}>
          <p>
            {t.rich(
              engine.languages.length > 0 ? "models.languages.taken" : "models.languages.rest",
              {
                engineLabel: engine.label,
                b: (parts) => <strong>{parts}</strong>,
                languages: engine.languages.join(", "),
              },
            )}
          </p>
          {engine.note !== null && <p className="quiet">{engine.note}</p>}
        </section>
      ))}
      {task.fetch !== null && (
        <div>
          <p>{task.fetch.sentence}</p>
          {task.fetch.bytes_total > 0 && (
            <Progress
              aria-label={t("models.download.label", { model: task.fetch.model })}
              value={(100 * task.fetch.bytes_done) / task.fetch.bytes_total}
            />
          )}
        </div>
      )}
      <Replicas task={task} />
      {shown.length > 0 && (
        <dl>
          {shown.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </article>
  );
}

function languagesOf({ languages, pairs }: Loaded): string | null {
  if (pairs !== null && pairs.length > 0) {
    return pairs.map(({ source, target }) => `${source} → ${target}`).join(", ");
  }
  if (languages.length === 0) return null;
  return languages.length > 12
    ? t("models.languages.count", { languages: languages.length })
    : languages.join(", ");
}
