import { Alert, Badge, Button, Modal, Text, Title } from "@mantine/core";
import { useState } from "react";
import { useSWRConfig } from "swr";
import { keys, staleBy } from "../../../platform/api/keys";
import { t } from "../../../platform/messages/admin";
import { toast } from "../../../platform/notices/toast";
import { usePageTitle } from "../../../platform/page/usePageTitle";
import { IconPlus } from "../../../platform/theme/icons";
import { AdminHead } from "../list/AdminHead";
import { Addresses } from "./Addresses";
import { ProviderForm } from "./ProviderForm";
import { Provisioning } from "./Provisioning";
import { removeProvider, useProviderEntries, type ProviderEntry } from "./data";
import styles from "./providers.module.css";

/** The identity providers with which people sign in to this installation. */
export default function ProvidersPage() {
  usePageTitle(t("providers.pageTitle"));
  const { data: providers, error, mutate } = useProviderEntries();
  const { mutate: mutateAll } = useSWRConfig();
  const [editing, setEditing] = useState<ProviderEntry | "new">();
  const [doomed, setDoomed] = useState<ProviderEntry>();
  const [busy, setBusy] = useState(false);

  const refresh = async () => {
    await mutateAll(staleBy(keys.admin));
    await mutateAll(keys.providers);
  };
  const remove = async ({ provider }: ProviderEntry) => {
    setBusy(true);
    try {
      await removeProvider(provider.slug);
      toast("success", t("providers.removed", { name: provider.name }));
      setDoomed(undefined);
      await refresh();
    } catch (failure) {
      toast("error", (failure as Error).message);
    }
    setBusy(false);
  };
  return (
    <>
      <AdminHead
        title={t("providers.title")}
        count={providers && t("providers.total", { total: providers.length })}
      >
        <Button leftSection={<IconPlus size={17} />} onClick={() => setEditing("new")}>
          {t("providers.add")}
        </Button>
      </AdminHead>
      {error !== undefined && (
        <Alert color="red" role="alert">
          {error.message}{" "}
          <Button size="compact-sm" onClick={() => void mutate()}>
            {t("providers.tryAgain")}
          </Button>
        </Alert>
      )}
      {providers?.length === 0 && <Text className="quiet">{t("providers.empty")}</Text>}
      {providers?.map((entry) => (
        <section
          key={entry.provider.slug}
          className={`card ${styles.entry}`}
          aria-label={entry.provider.name}
        >
          <div className={styles.head}>
            <div>
              <Title order={2}>{entry.provider.name}</Title>
              <Text size="sm" className={`quiet ${styles.issuer}`}>
                {entry.provider.issuer}
              </Text>
            </div>
            <span className={styles.tools}>
              <Button
                size="compact-sm"
                variant="default"
                disabled={entry.is_configured}
                aria-label={t("providers.change.label", { name: entry.provider.name })}
                onClick={() => setEditing(entry)}
              >
                {t("providers.change")}
              </Button>
              <Button
                size="compact-sm"
                variant="subtle"
                color="red"
                disabled={entry.is_configured}
                aria-label={t("providers.remove.label", { name: entry.provider.name })}
                onClick={() => setDoomed(entry)}
              >
                {t("providers.remove")}
              </Button>
            </span>
          </div>
          <div className={styles.badges}>
            <Badge variant="light" color={entry.is_enabled ? "teal" : "gray"}>
              {entry.is_enabled ? t("providers.on") : t("providers.off")}
            </Badge>
            {entry.is_configured && <Badge variant="light">{t("providers.inSettings")}</Badge>}
            {entry.provider.is_required && (
              <Badge variant="light" color="yellow">
                {t("providers.required")}
              </Badge>
            )}
            {entry.provider.domains.map((domain) => (
              <Badge key={domain} variant="outline" tt="none">
                {domain}
              </Badge>
            ))}
            <Text size="sm" className="quiet">
              {t("providers.people", { people: entry.people })}
            </Text>
          </div>
          <Addresses entry={entry} />
          <Provisioning entry={entry} onChange={refresh} />
        </section>
      ))}
      <Modal
        opened={editing !== undefined}
        onClose={() => setEditing(undefined)}
        title={editing === "new" ? t("providers.add") : t("providers.changeTitle")}
        size="xl"
      >
        {editing !== undefined && (
          <ProviderForm
            entry={editing === "new" ? undefined : editing}
            onCancel={() => setEditing(undefined)}
            onSaved={(saved) => {
              setEditing(undefined);
              toast("success", t("providers.saved", { name: saved.provider.name }));
              void refresh();
            }}
          />
        )}
      </Modal>
      <Modal
        opened={doomed !== undefined}
        onClose={() => setDoomed(undefined)}
        title={t("providers.remove.question", { name: doomed?.provider.name })}
      >
        <Text>{t("providers.remove.about", { people: doomed?.people })}</Text>
        <div className={styles.buttons}>
          <Button variant="default" onClick={() => setDoomed(undefined)}>
            {t("providers.cancel")}
          </Button>
          <Button
            color="red"
            loading={busy}
            onClick={() => {
              if (doomed !== undefined) void remove(doomed);
            }}
          >
            {t("providers.remove")}
          </Button>
        </div>
      </Modal>
    </>
  );
}
