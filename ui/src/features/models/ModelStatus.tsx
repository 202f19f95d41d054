import { CloseButton, Progress } from "@mantine/core";
import { useState } from "react";
import { t } from "../../platform/messages/models";
import { IconAlertTriangle, IconCheck, IconDownload } from "../../platform/theme/icons";
import { useSpeechModel, type Fetch } from "./data";
import { useDismissed } from "./dismissed";
import styles from "./models.module.css";

/** One line about a speech model that is downloading, arrived while this page was open, or is not available. */
export default function ModelStatus() {
  const fetch = useSpeechModel()?.fetch ?? null;
  const [wasOnItsWay, setWasOnItsWay] = useState(false);
  if (fetch !== null && fetch.state !== "ready" && !wasOnItsWay) setWasOnItsWay(true);
  // A model that arrived before this page was opened is no news.
  if (fetch === null || (fetch.state === "ready" && !wasOnItsWay)) return null;
  return <StatusLine fetch={fetch} />;
}

function StatusLine({ fetch }: { fetch: Fetch }) {
  const [isDismissed, dismiss] = useDismissed(
    "sagascript.model-status",
    `${fetch.state} ${fetch.model}`,
  );
  if (isDismissed) return null;
  const percent = fetch.bytes_total > 0 ? (fetch.bytes_done / fetch.bytes_total) * 100 : 0;
  const running = fetch.state === "running";
  return (
    <div className={styles.modelStatus} data-testid="model-status" data-state={fetch.state}>
      <Mark state={fetch.state} />
      <div className={styles.modelStatusWords}>
        {/* Announced when the state changes, not at every percent. */}
        <p role="status" aria-live={running ? "off" : "polite"}>
          {fetch.sentence}
        </p>
        {running && (
          <Progress
            value={percent}
            size={4}
            aria-label={t("download.progress", {
              model: fetch.model,
              percent: Math.floor(percent),
            })}
          />
        )}
      </div>
      {!running && <CloseButton aria-label={t("hide")} onClick={dismiss} />}
    </div>
  );
}

function Mark({ state }: { state: Fetch["state"] }) {
  if (state === "failed") return <IconAlertTriangle size={18} aria-hidden="true" />;
  if (state === "ready") return <IconCheck size={18} aria-hidden="true" />;
  return <IconDownload size={18} aria-hidden="true" />;
}
