import { Alert, Button, Progress } from "@mantine/core";
import type { ReactNode } from "react";
import { Link, useNavigate, useParams } from "react-router";
import { usePublicConfig } from "../../platform/api/publicConfig";
import { t } from "../../platform/messages/processing";
import { EmptyState } from "../../platform/page/EmptyState";
import { PageHeader } from "../../platform/page/PageHeader";
import { usePageTitle } from "../../platform/page/usePageTitle";
import { IconMovie, IconWaveSine } from "../../platform/theme/icons";
import { activityOf } from "../../domain/files/activity";
import {
  canRestart,
  canRetryPlayback,
  isNotFound,
  isWorking,
  useFile,
  useFileActions,
  type MediaFile,
} from "../../domain/files/data";
import { toolPath, trackPath } from "../../domain/captions/trackPath";
import { clock } from "../../domain/files/format";
import LookOnly from "../../domain/teams/LookOnly";
import { ActivityBadge, StatusBadge } from "../../domain/files/StatusBadge";
import { progressWords, stallWords } from "../../domain/files/waiting";
import { LanguageFact } from "../languages/LanguageFact";
import { asksLanguage, waitsForMinutes } from "../../domain/files/needs";
import { LanguageQuestion } from "../languages/LanguageQuestion";
import { QuotaHelp } from "../ledger/QuotaHelp";
import { Details } from "./Details";
import { LiveLines } from "./LiveLines";
import { SpeakersCard } from "./SpeakersCard";
import { Steps } from "./Steps";
import { phaseWords, stepOf } from "./steps";
import { Translations } from "./Translations";
import styles from "./processing.module.css";

/** The progress of a file, with the captions so far. */
export default function ProcessingPage() {
  usePageTitle(t("processingTranscribing"));
  const { slug = "" } = useParams();
  const navigate = useNavigate();
  const { data: file, error } = useFile(slug);
  if (file !== undefined) return <Processing file={file} />;
  const heading = <h1 className="visually-hidden">{t("processingTranscribing")}</h1>;
  if (error === undefined) {
    return (
      <>
        {heading}
        <EmptyState />
      </>
    );
  }
  return (
    <>
      {heading}
      <EmptyState
        loading={false}
        hero="lost"
        title={isNotFound(error) ? error.message : t("loadFailed")}
        description={isNotFound(error) ? t("gone.about") : error.message}
        add={{
          label: t("toFiles"),
          contentType: "file",
          onAdd: () => void navigate("/dashboard"),
        }}
      />
    </>
  );
}

function Processing({ file }: { file: MediaFile }) {
  const actions = useFileActions();
  const mayChange = file.may_change;
  const working = isWorking(file);
  const stopped = canRestart(file);
  const activity = activityOf(file);
  const nameMax = usePublicConfig()?.text_limits.file_title;
  return (
    <div className={styles.processing}>
      <PageHeader
        name={file.name}
        icon={file.kind === "audio" ? <IconWaveSine size={26} /> : <IconMovie size={26} />}
        step={stepOf(file) + 1}
        greyedOut={file.status === "abandoned"}
        nameMax={nameMax}
        onRename={mayChange ? (name) => actions.rename(file, name) : undefined}
      >
        <StatusBadge status={file.status} code={file.error_code} />
        {activity !== null && <ActivityBadge words={activity} />}
        {mayChange && working && (
          <Button variant="default" onClick={() => void actions.cancel(file.slug)}>
            {t("cancel")}
          </Button>
        )}
        {mayChange && stopped && !asksLanguage(file) && !waitsForMinutes(file) && (
          <Button variant="default" onClick={() => void actions.retry(file.slug)}>
            {t("startAgain")}
          </Button>
        )}
        <OpenCaptions file={file} />
      </PageHeader>

      <div className={styles.side}>
        <section className={`card ${styles.processingCard}`} aria-label={t("progress")}>
          <Steps file={file} />
          {working && (
            <div>
              <div className={styles.processingWords} role="status">
                <span>{phaseWords(file)}</span>
                <span className="quiet tabular" data-testid="progress">
                  {progressWords(file)}
                </span>
              </div>
              <Progress
                value={file.queue_place === null ? file.progress : 0}
                size={8}
                aria-label={`${phaseWords(file)}, ${file.progress}%`}
              />
            </div>
          )}
          <div role="status">
            {working && file.stalled_s !== null && (
              <Alert color="yellow" role="presentation" data-testid="stalled">
                {stallWords(file.stalled_s)}
              </Alert>
            )}
          </div>
          {mayChange && asksLanguage(file) && <LanguageQuestion file={file} />}
          {mayChange && waitsForMinutes(file) && <QuotaHelp file={file} />}
          {stopped && !(mayChange && asksLanguage(file)) && (
            <Alert color={file.status === "failed" ? "red" : "gray"} role="alert">
              {file.error ?? t("cancelled.about")}
            </Alert>
          )}
          <PlaybackProblem file={file} />
          {!mayChange && <LookOnly />}
          <Facts file={file} />
          <Details file={file} />
        </section>
        <SpeakersCard file={file} />
        <Translations file={file} />
      </div>
      <LiveLines file={file} />
    </div>
  );
}

/** The way on: correct what is there already, or once all is there, one doubtful word after the other. */
function OpenCaptions({ file }: { file: MediaFile }) {
  const isDone = file.status === "completed";
  const words = !file.may_change
    ? t("openCaptions")
    : isDone
      ? t("startCorrecting")
      : t("correctAlready");
  return (
    <Button
      component={Link}
      to={file.may_change && isDone ? toolPath(file.slug, "review") : trackPath(file.slug)}
      variant={isDone ? "filled" : "light"}
      data-testid="open-captions"
    >
      {words}
    </Button>
  );
}

/** Captions do not need the playback copy, so its failure is shown separately. */
function PlaybackProblem({ file }: { file: MediaFile }) {
  const { retryPlayback } = useFileActions();
  if (!canRetryPlayback(file) || file.status === "abandoned") return null;
  return (
    <Alert color="yellow" role="alert" data-testid="playback-problem">
      {file.playback.error}
      {file.may_change && (
        <Button
          mt="sm"
          size="compact-md"
          variant="light"
          display="block"
          onClick={() => void retryPlayback(file.slug)}
        >
          {t("tryAgain")}
        </Button>
      )}
    </Alert>
  );
}

function Facts({ file }: { file: MediaFile }) {
  const facts: [string, ReactNode][] = [
    [t("language"), <LanguageFact file={file} />],
    [t("duration"), file.duration_ms === null ? null : clock(file.duration_ms)],
    [t("resolution"), file.width === null ? null : `${file.width} × ${file.height ?? 0}`],
    [t("model"), file.engine],
    [t("note"), file.engine_note],
  ];
  return (
    <dl className={styles.facts} data-testid="facts">
      {facts.map(
        ([name, value]) =>
          value !== null && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
