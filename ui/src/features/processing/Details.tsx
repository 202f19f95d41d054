import { Text } from "@mantine/core";
import { useState } from "react";
import useSWR from "swr";
import { api, unwrap, type Schemas } from "../../platform/api/client";
import { keys } from "../../platform/api/keys";
import { t } from "../../platform/messages/processing";
import { isWorking, type MediaFile } from "../../domain/files/data";
import { clock, day } from "../../domain/files/format";
import { useLanguages } from "../../domain/languages/languages";
import { attemptWords, isOpen, requestFacts, STATES } from "./details";
import styles from "./processing.module.css";

type FileJob = Schemas["FileJobOut"];

const LOOK_AGAIN_MS = 3_000;

/** The requests of the file's jobs and the outcome of each attempt; loaded only when opened. */
export function Details({ file }: { file: MediaFile }) {
  const [open, setOpen] = useState(false);
  return (
    <details
      className={styles.details}
      data-testid="details"
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>{t("details")}</summary>
      {open && <Jobs file={file} />}
    </details>
  );
}

function Jobs({ file }: { file: MediaFile }) {
  const { slug } = file;
  const { data: jobs, error } = useSWR<FileJob[], Error>(
    keys.jobs(slug),
    async () =>
      (await unwrap(api.GET("/api/files/{slug}/jobs", { params: { path: { slug } } }))).data,
    // The job of a cancelled file ends a moment after the file does.
    { refreshInterval: (known) => (isWorking(file) || known?.some(isOpen) ? LOOK_AGAIN_MS : 0) },
  );
  if (error !== undefined) return <Text role="alert">{error.message}</Text>;
  if (jobs === undefined) return <Text className="quiet">{t("loadingDetails")}</Text>;
  return (
    <ul className={styles.detailsJobs}>
      {jobs.map((job) => (
        <li key={`${job.kind}-${job.created_at}`}>
          <Job job={job} />
        </li>
      ))}
    </ul>
  );
}

function Job({ job }: { job: FileJob }) {
  const { label } = useLanguages();
  return (
    <>
      <h3>
        {job.title} <span className="quiet">{STATES[job.state]}</span>
      </h3>
      <dl className={styles.facts}>
        {requestFacts(job.request, { language: label, clock }).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {job.attempts.length > 0 && (
        <ol className={styles.detailsAttempts} aria-label={t("attempts")}>
          {job.attempts.map((attempt) => (
            <li key={attempt.started_at}>
              <span>{attemptWords(attempt)}</span>{" "}
              <time className="quiet tabular" dateTime={attempt.started_at}>
                {day(attempt.started_at)}
              </time>
            </li>
          ))}
        </ol>
      )}
    </>
  );
}
