import type { Schemas } from "../../../api/client";
import { spoken } from "../../files/waiting";
import { moment } from "../list/words";
import styles from "./contents.module.css";

type Job = Schemas["FileJobOut"];

const STATES: Record<Job["state"], string> = {
  ready: "Waiting",
  running: "Running",
  done: "Done",
  failed: "Failed",
  cancelled: "Cancelled",
};
const ENDINGS: Record<string, string> = {
  done: "done",
  retried: "will be tried again",
  failed: "failed",
  cancelled: "cancelled",
  handed_back: "handed back",
  lease_ended: "its process ended",
};

/** The jobs of a file, the newest first, and how each attempt ended. */
export function JobList({ jobs }: { jobs: Job[] }) {
  if (jobs.length === 0) return <p className="quiet">Nothing was done with this file yet.</p>;
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
                Attempt {attempt.number}, {moment(attempt.started_at)}:{" "}
                {attempt.ending === null ? "running" : (ENDINGS[attempt.ending] ?? attempt.ending)}
                {attempt.ended_at !== null && ` after ${spoken(seconds(attempt))}`}
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
