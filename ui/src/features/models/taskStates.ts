import type { Severity } from "../../platform/page/SeverityBadge";
import { t } from "../../platform/messages/models";
import type { Model } from "./data";

/** The state of a task in a few words, and how much it should stand out. */
export const TASK_STATES: Record<Model["state"], { words: string; severity: Severity }> = {
  ready: { words: t("state.ready"), severity: "success" },
  idle: { words: t("state.idle"), severity: "info" },
  starting: { words: t("state.starting"), severity: "info" },
  missing: { words: t("state.missing"), severity: "warn" },
  failed: { words: t("state.failed"), severity: "danger" },
};
