import { t } from "../../../platform/messages/admin";
import { SeverityBadge } from "../../../platform/page/SeverityBadge";
import { bytes } from "../list/words";
import type { Loaded } from "./data";
import styles from "./models.module.css";

type Replica = Loaded["replicas"][number];

/** The processes that hold the task's model: where they run, what they take and whether they work. */
export function Replicas({ task }: { task: Loaded }) {
  const { replicas, starting, stopping } = task;
  const others = [
    starting > 0 ? t("models.replicas.starting", { starting }) : "",
    stopping > 0 ? t("models.replicas.stopping", { stopping }) : "",
  ].filter((words) => words !== "");
  if (replicas.length === 0 && others.length === 0) return null;
  return (
    <div>
      <ul className={styles.replicas} aria-label={t("models.replicas")}>
        {replicas.map((replica) => (
          <li key={replica.id} data-testid="replica">
            <header>
              <strong>{replica.node}</strong>
              <SeverityBadge severity={replica.is_busy ? "info" : "secondary"}>
                {replica.is_busy ? t("models.working") : t("models.waiting")}
              </SeverityBadge>
            </header>
            <span className="quiet">{factsOf(replica).join(" · ")}</span>
          </li>
        ))}
      </ul>
      {others.length > 0 && <p className="quiet">{others.join(", ")}</p>}
    </div>
  );
}

function factsOf(replica: Replica): string[] {
  const { address, device, model, memory, gpu_used, gpu_total, max_batch, batch_wait_ms } = replica;
  return [
    model,
    device,
    max_batch === null || batch_wait_ms === null
      ? ""
      : t("models.batches", { maxBatch: max_batch, batchWaitMs: batch_wait_ms }),
    memory === null ? "" : t("models.memoryOf", { memory: bytes(memory) }),
    gpu_used === null || gpu_total === null
      ? ""
      : t("models.gpu.use", { gpuUsed: bytes(gpu_used), gpuTotal: bytes(gpu_total) }),
    address,
  ].filter((fact) => fact !== "");
}
