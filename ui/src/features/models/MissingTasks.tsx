import { Button, CloseButton } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { t } from "../../platform/messages/models";
import { IconAlertTriangle } from "../../platform/theme/icons";
import { WithCode } from "../../platform/page/WithCode";
import { useModels } from "./data";
import { useDismissed } from "./dismissed";
import styles from "./models.module.css";
import { unavailable } from "./unavailable";

/** Which kinds of work this installation cannot do now. The reasons are one press away: most people need them once. */
export default function MissingTasks() {
  const tasks = unavailable(useModels());
  const [open, reasons] = useDisclosure();
  const [isDismissed, dismiss] = useDismissed(
    "sagascript.missing-tasks",
    tasks.map(({ task, state }) => `${task} ${state}`).join(),
  );
  if (tasks.length === 0 || isDismissed) return null;
  const failed = tasks.some(({ state }) => state === "failed");
  return (
    <div
      className={styles.modelStatus}
      data-testid="missing-tasks"
      data-state={failed ? "failed" : "missing"}
    >
      <IconAlertTriangle size={18} aria-hidden="true" />
      <div className={styles.modelStatusWords}>
        <p role="status">
          {t("missing", { tasks: tasks.map(({ title }) => title).join(", ") })}{" "}
          <Button
            size="compact-xs"
            variant="subtle"
            aria-expanded={open}
            aria-controls="missing-tasks-reasons"
            onClick={reasons.toggle}
          >
            {open ? t("hideReasons") : t("showReasons")}
          </Button>
        </p>
        {open && (
          <ul id="missing-tasks-reasons" className={styles.reasons}>
            {tasks.map(({ task, title, sentence }) => (
              <li key={task}>
                <strong>{title}.</strong> <WithCode text={sentence ?? ""} />
              </li>
            ))}
          </ul>
        )}
      </div>
      <CloseButton aria-label={t("hide")} onClick={dismiss} />
    </div>
  );
}
