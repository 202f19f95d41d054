import { t } from "../../platform/messages/files";
import { SeverityBadge, type Severity } from "../../platform/page/SeverityBadge";
import { asksLanguage, waitsForMinutes } from "./needs";
import type { Schemas } from "../../platform/api/client";
import type { FileStatus, MediaExport } from "./data";

type Status = FileStatus | MediaExport["status"] | Schemas["UploadOut"]["status"];

/** Status → severity, as specified for files; uploads and exports follow the same logic. */
const SEVERITY: Record<Status, Severity> = {
  failed: "danger",
  error: "danger",
  completed: "success",
  complete: "success",
  processing: "info",
  uploading: "info",
  transcribing: "info",
  live: "info",
  progressing: "info",
  waiting: "warn",
  submitted: "warn",
  incomplete: "warn",
  abandoned: "secondary",
  cancelled: "secondary",
  idle: "secondary",
  uploaded: "secondary",
  canceled: "secondary",
};

const LABELS: Record<Status, string> = {
  failed: t("failed"),
  error: t("failed"),
  completed: t("completed"),
  complete: t("complete"),
  processing: t("processing"),
  uploading: t("uploading"),
  transcribing: t("transcribing"),
  live: t("live"),
  progressing: t("exporting"),
  waiting: t("waiting"),
  submitted: t("queued"),
  incomplete: t("incomplete"),
  abandoned: t("cancelled"),
  cancelled: t("cancelled"),
  idle: t("idle"),
  uploaded: t("uploaded"),
  canceled: t("cancelled"),
};

const MOVING = new Set<Status>(["processing", "uploading", "transcribing", "live", "progressing"]);

/** Work beside the status, such as an export. */
export function ActivityBadge({ words }: { words: string }) {
  return (
    <SeverityBadge severity="info" dot="moving" testId="activity">
      {words}
    </SeverityBadge>
  );
}

/** What a file waits for from the person, by the code of its refusal. */
function questionOf(error_code: string | null): string | undefined {
  if (asksLanguage({ error_code })) return t("language.choose");
  return waitsForMinutes({ error_code }) ? t("state.waitsForMinutes") : undefined;
}

export function StatusBadge({ status, code = null }: { status: Status; code?: string | null }) {
  // A file that waits for an answer has not failed, whatever its status is called.
  const asks = status === "failed" ? questionOf(code) : undefined;
  const severity = asks !== undefined ? "warn" : SEVERITY[status];
  return (
    <SeverityBadge
      severity={severity}
      dot={MOVING.has(status) ? "moving" : "still"}
      testId="status"
      status={status}
    >
      {asks ?? LABELS[status]}
    </SeverityBadge>
  );
}
