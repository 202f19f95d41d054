import { t } from "../../platform/messages/processing";
import { IconCheck, IconX } from "../../platform/theme/icons";
import type { MediaFile } from "../../domain/files/data";
import { STEPS, stepStates } from "./steps";
import styles from "./processing.module.css";

const SPOKEN = {
  done: t("step.done"),
  now: t("step.now"),
  failed: t("step.failed"),
  ahead: t("step.ahead"),
};

export function Steps({ file }: { file: MediaFile }) {
  const states = stepStates(file);
  return (
    <ol className={styles.steps} aria-label={t("steps")}>
      {STEPS.map((name, index) => {
        const state = states[index] ?? "ahead";
        return (
          <li
            key={name}
            className={styles.step}
            data-state={state}
            aria-current={state === "now" ? "step" : undefined}
          >
            <span className={styles.stepMark} aria-hidden="true">
              {state === "done" ? (
                <IconCheck size={16} stroke={2.4} />
              ) : state === "failed" ? (
                <IconX size={16} stroke={2.4} />
              ) : (
                index + 1
              )}
            </span>
            {name}
            <span className="visually-hidden">, {SPOKEN[state]}</span>
          </li>
        );
      })}
    </ol>
  );
}
