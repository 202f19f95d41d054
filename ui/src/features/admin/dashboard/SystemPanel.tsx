import { Alert, Button, Loader } from "@mantine/core";
import { t } from "../../../platform/messages/admin";
import { IconAlertTriangle, IconCheck, IconRefresh, IconX } from "../../../platform/theme/icons";
import { toast } from "../../../platform/notices/toast";
import { moment } from "../list/words";
import { Panel } from "./Panel";
import { useSystem, type System } from "./data";
import styles from "./dashboard.module.css";

type State = NonNullable<System["checks"]>[number]["state"];

const MARKS: Record<State, { icon: typeof IconCheck; words: string }> = {
  ok: { icon: IconCheck, words: t("dashboard.fine") },
  warn: { icon: IconAlertTriangle, words: t("dashboard.warning") },
  missing: { icon: IconX, words: t("dashboard.missing") },
};

/** What the server's machine offers and lacks: the findings of `sagascript doctor`. */
export function SystemPanel() {
  const { data, error, check } = useSystem();
  const again = async () => {
    try {
      await check();
    } catch (problem) {
      toast("error", (problem as Error).message);
    }
  };
  return (
    <Panel
      title={t("dashboard.system")}
      note={
        data?.checked_at
          ? t("dashboard.system.checkedAt", { checkedAt: moment(data.checked_at) })
          : t("dashboard.system.about")
      }
      tools={
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconRefresh size={15} />}
          loading={data?.is_running ?? false}
          onClick={() => void again()}
        >
          {t("dashboard.checkAgain")}
        </Button>
      }
    >
      {(error ?? data?.problem) != null && (
        <Alert color="red" role="alert">
          {error?.message ?? data?.problem}
        </Alert>
      )}
      {data?.checks == null ? (
        error === undefined && (
          <p className="quiet" role="status">
            <Loader size="xs" aria-hidden="true" /> {t("dashboard.system.checking")}
          </p>
        )
      ) : (
        <ul className={styles.checks} aria-label={t("dashboard.findings")}>
          {data.checks.map(({ name, state, sentence }) => {
            const { icon: Icon, words } = MARKS[state];
            return (
              <li key={name} data-state={state}>
                <Icon size={17} aria-label={words} />
                <strong>{name}</strong>
                <span>{sentence}</span>
              </li>
            );
          })}
        </ul>
      )}
    </Panel>
  );
}
