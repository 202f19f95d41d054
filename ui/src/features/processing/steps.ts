/** The three steps of a file and the words for its current phase. */
import { t } from "../../platform/messages/processing";
import { canRestart, type FileStatus, type MediaFile } from "../../domain/files/data";

export type StepState = "done" | "now" | "failed" | "ahead";

export const STEPS = [t("upload"), t("preprocess"), t("transcribe")] as const;

const STEP_OF: Record<FileStatus, number> = {
  uploading: 0,
  waiting: 1,
  processing: 1,
  transcribing: 2,
  live: 2,
  completed: 3,
  failed: 1,
  abandoned: 1,
};

/** The current step, counted from 0; 3 when all are done. A stopped file is at the step it did not finish. */
export function stepOf(file: Pick<MediaFile, "status" | "duration_ms">): number {
  return canRestart(file) && file.duration_ms !== null ? 2 : STEP_OF[file.status];
}

export function stepStates(
  file: Pick<MediaFile, "status" | "duration_ms" | "error_code">,
): StepState[] {
  const at = stepOf(file);
  // A step waiting for an answer has not failed.
  const here = canRestart(file) && file.error_code === null ? "failed" : "now";
  return STEPS.map((_, index) => (index < at ? "done" : index === at ? here : "ahead"));
}

const PHASES: Record<string, string> = {
  scanning: t("step.scan"),
  probing: t("step.check"),
  decoding: t("step.audio"),
  finishing: t("step.pictures"),
  transcribing: t("transcribing"),
  encoding: t("step.playback"),
};

const BY_STATUS: Record<FileStatus, string> = {
  uploading: t("uploading"),
  waiting: t("step.queued"),
  processing: t("preparing"),
  transcribing: t("step.model"),
  live: t("transcribing"),
  completed: t("done"),
  failed: t("stopped"),
  abandoned: t("cancelled"),
};

export const phaseWords = (file: Pick<MediaFile, "status" | "phase">): string =>
  PHASES[file.phase] ?? BY_STATUS[file.status];
