import type { Schemas } from "../../../platform/api/client";
import { t } from "../../../platform/messages/admin";
import { spoken } from "../../../domain/files/waiting";
import { moment } from "../list/words";
import styles from "./contents.module.css";

type Job = Schemas["FileJobOut"];

const STATES: Record<Job["state"], string> = {
  ready: t("contents.waiting"),
  running: t("contents.running"),
  done: t("contents.done"),
  failed: t("contents.failed"),
  cancelled: t("contents.cancelled"),
};
const ENDINGS: Record<string, string> = {
  done: t("contents.job.done"),
  retried: t("contents.job.retried"),
  failed: t("contents.job.failed"),
  cancelled: t("contents.job.stopped"),
  handed_back: t("contents.job.handedBack"),
  lease_ended: t("contents.job.processEnded"),
};

/** The jobs of a file, the newest first, and how each attempt ended. */
export function JobList({ jobs }: { jobs: Job[] }) {
  if (jobs.length === 0) return <p className="quiet">{t("contents.job.none")}</p>;
  return (
    <ol className={styles.jobs}>
      {[...jobs].reverse().map((job) => (
        <li key={`${job.kind}${job.created_at}`}>
          <p>
            <strong>{job.title}</strong> <span data-state={job.state}>{STATES[job.state]}</span>{" "}
            <span className="quiet">{moment(job.created_at)}</span>
          </p>
          {job.error !== null && <p className="danger-text">{job.error}</p>}
          <ul>
            {job.attempts.map((attempt, index) => (
              <li key={index} className="quiet">
                {t("contents.job.attempt", {
                  number: attempt.number,
                  startedAt: moment(attempt.started_at),
                  value:
                    attempt.ending === null
                      ? t("contents.isRunning")
                      : (ENDINGS[attempt.ending] ?? attempt.ending),
                })}
                {attempt.ended_at !== null &&
                  t("contents.job.afterAttempt", { attempt: spoken(seconds(attempt)) })}
                {attempt.note !== null && `. ${attempt.note}`}
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ol>
  );
}

const seconds = ({ started_at, ended_at }: Job["attempts"][number]): number =>
  (Date.parse(ended_at ?? started_at) - Date.parse(started_at)) / 1000;
