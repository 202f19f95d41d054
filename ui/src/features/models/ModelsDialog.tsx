import { Anchor, Modal, Progress } from "@mantine/core";
import { Link } from "react-router";
import { useSession } from "../../domain/person/session";
import { t } from "../../platform/messages/models";
import { SeverityBadge } from "../../platform/page/SeverityBadge";
import { WithCode } from "../../platform/page/WithCode";
import { useModels, type Model } from "./data";
import { TASK_STATES } from "./taskStates";
import styles from "./models.module.css";

/** What this installation can do for each kind of work, with which engine, and why not where it cannot. */
export default function ModelsDialog({ onClose }: { onClose: () => void }) {
  const isAdmin = useSession().user?.is_admin === true;
  const models = useModels() ?? [];
  return (
    <Modal opened onClose={onClose} title={t("about.title")} size={560} data-testid="models-dialog">
      <ul className={styles.tasks}>
        {models.map((model) => (
          <Task key={model.task} model={model} />
        ))}
      </ul>
      {isAdmin && (
        <Anchor component={Link} to="/admin/models">
          {t("about.admin")}
        </Anchor>
      )}
    </Modal>
  );
}

function Task({ model }: { model: Model }) {
  const { words, severity } = TASK_STATES[model.state];
  const { fetch } = model;
  return (
    <li data-task={model.task}>
      <header>
        <h3>{model.title}</h3>
        <SeverityBadge severity={severity}>{words}</SeverityBadge>
      </header>
      {model.label !== null && <p>{model.label}</p>}
      {[model.sentence, model.note].map(
        (text) =>
          text && (
            <p key={text} className="quiet">
              <WithCode text={text} />
            </p>
          ),
      )}
      {fetch !== null && (
        <div>
          <p className="quiet">{fetch.sentence}</p>
          {fetch.state === "running" && fetch.bytes_total > 0 && (
            <Progress
              mt={6}
              size={4}
              value={(fetch.bytes_done / fetch.bytes_total) * 100}
              aria-label={t("download.progress", {
                model: fetch.model,
                percent: Math.floor((fetch.bytes_done / fetch.bytes_total) * 100),
              })}
            />
          )}
        </div>
      )}
    </li>
  );
}
