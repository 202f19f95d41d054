import { Alert, Button, Group } from "@mantine/core";
import { useState } from "react";
import { Link, useNavigate, useParams } from "react-router";
import { trackPath } from "../../domain/captions/trackPath";
import { clock } from "../../domain/files/format";
import { sentenceOf } from "../../platform/api/client";
import { t } from "../../platform/messages/live";
import { toast } from "../../platform/notices/toast";
import { EmptyState } from "../../platform/page/EmptyState";
import { PageHeader } from "../../platform/page/PageHeader";
import { usePageTitle } from "../../platform/page/usePageTitle";
import { IconMicrophone, IconPlayerStop } from "../../platform/theme/icons";
import { useLiveText, type Live } from "./data";
import { LevelMeter } from "./LevelMeter";
import { LiveTranslations } from "./LiveTranslations";
import { LiveTextView } from "./LiveTextView";
import { problemOf } from "./problems";
import { endRecording, takeOver, useRecording, type Recording } from "./recording";
import { FIRST_CHOICE, SoundChoice } from "./SoundChoice";
import { WatchLink } from "./WatchLink";
import styles from "./live.module.css";

const WARN_MS = 5 * 60_000;
/** A piece on its way, and one that is just being said, are nothing to tell. */
const FEW_PIECES = 6;

/** A live recording: what is said, and its end. */
export default function RecordingPage() {
  usePageTitle(t("title"));
  const { slug = "" } = useParams();
  const navigate = useNavigate();
  const { live, words, outlook, error } = useLiveText(slug);
  const recording = useRecording();
  const mine = recording?.slug === slug ? recording : undefined;
  if (live === undefined) {
    return error === undefined ? (
      <EmptyState />
    ) : (
      <EmptyState
        loading={false}
        hero="lost"
        title={t("loadFailed")}
        description={error.message}
        add={{ label: t("toFiles"), contentType: "file", onAdd: () => void navigate("/dashboard") }}
      />
    );
  }
  return (
    <div className={styles.recording}>
      <PageHeader name={live.name} icon={<IconMicrophone size={26} />}>
        <Group gap="xs">
          {live.state === "open" && <LiveTranslations live={live} />}
          <WatchLink live={live} />
          <Button
            component={Link}
            to={trackPath(slug)}
            variant={live.is_kept ? "filled" : "light"}
            data-testid="open-captions"
          >
            {t("openCaptions")}
          </Button>
          {mine !== undefined && <StopButton recording={mine} />}
        </Group>
      </PageHeader>
      <State live={live} mine={mine} />
      <LiveTextView words={words} outlook={outlook} isOver={live.is_over} />
    </div>
  );
}

function StopButton({ recording }: { recording: Recording }) {
  const stop = async () => {
    try {
      await endRecording();
    } catch (error) {
      toast("error", sentenceOf(error, t("stopFailed")));
    }
  };
  return (
    <Button
      color="red"
      loading={recording.state === "ending"}
      leftSection={<IconPlayerStop size={18} />}
      onClick={() => void stop()}
      data-testid="stop-live"
    >
      {t("stop")}
    </Button>
  );
}

function State({ live, mine }: { live: Live; mine: Recording | undefined }) {
  const endsAt = mine?.endsAtMs ?? live.ends_at_ms;
  const leftMs = endsAt - live.recorded_ms;
  const isOpen = live.state === "open";
  return (
    <section className={`card ${styles.state}`} aria-label={t("recording")}>
      <Group gap="lg">
        {mine !== undefined && isOpen && <LevelMeter level={mine.level} />}
        <span>
          {t("elapsed")} <b className="tabular">{clock(live.recorded_ms)}</b>
        </span>
      </Group>
      <div role="status">
        {mine?.state === "ending" && t("stopping")}
        {mine !== undefined &&
          mine.waiting > FEW_PIECES &&
          t("waiting", { seconds: Math.ceil(mine.waiting / 2) })}
        {!isOpen &&
          live.error === null &&
          t(live.is_kept ? "kept" : live.is_over ? "cancelled" : "finishing")}
      </div>
      {isOpen && leftMs <= WARN_MS && (
        <Alert color="yellow" role="alert">
          {t("ends", { minutes: Math.max(1, Math.ceil(leftMs / 60_000)) })}{" "}
          {mine?.endsWhy ?? live.ends_why}
        </Alert>
      )}
      {!isOpen && live.ends_why !== null && (
        <Alert color="yellow" role="alert">
          {live.ends_why}
        </Alert>
      )}
      {live.error !== null && (
        <Alert color="red" role="alert">
          {live.error}
        </Alert>
      )}
      {isOpen && (mine === undefined || mine.state === "gone" || mine.state === "refused") && (
        <TakeOver slug={live.slug} mine={mine} />
      )}
    </section>
  );
}

/** Record from this page what another one recorded, or what this one lost. */
function TakeOver({ slug, mine }: { slug: string; mine: Recording | undefined }) {
  const [sound, setSound] = useState(FIRST_CHOICE);
  const [isStarting, setStarting] = useState(false);
  const [problem, setProblem] = useState("");
  const take = async () => {
    setStarting(true);
    setProblem("");
    try {
      await takeOver(sound, slug);
    } catch (error) {
      setProblem(problemOf(error));
    }
    setStarting(false);
  };
  return (
    <div className={styles.takeOver}>
      <p>{why(mine)}</p>
      <SoundChoice value={sound} onChange={setSound} />
      {problem !== "" && (
        <Alert color="red" role="alert">
          {problem}
        </Alert>
      )}
      <Button
        variant="light"
        loading={isStarting}
        onClick={() => void take()}
        data-testid="take-over"
      >
        {t("takeOver")}
      </Button>
    </div>
  );
}

function why(mine: Recording | undefined): string {
  if (mine === undefined) return t("elsewhere");
  if (mine.state === "gone") return t("gone");
  return mine.problem === "" ? t("full") : mine.problem;
}
