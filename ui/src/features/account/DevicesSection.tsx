import { Badge, Button, Text } from "@mantine/core";
import { useState } from "react";
import { t } from "../../platform/messages/account";
import { EmptyState } from "../../platform/page/EmptyState";
import { day } from "../../domain/files/format";
import { toast } from "../../platform/notices/toast";
import { signOutDevice, signOutOthers, useDevices, type Device } from "./data";
import styles from "./account.module.css";

const nameOf = ({ browser, system }: Device): string =>
  system === null
    ? (browser ?? t("unknownBrowser"))
    : t("devices.name", { browser: browser ?? t("unknownBrowser"), system });

/** The browsers in which one is signed in, and their sign-out. */
export default function DevicesSection() {
  const { data: devices, error, mutate } = useDevices();
  const [busy, setBusy] = useState<string>();

  const run = async (id: string, call: () => Promise<string>) => {
    setBusy(id);
    try {
      toast("success", await call());
    } catch (problem) {
      toast("error", (problem as Error).message);
    } finally {
      await mutate();
      setBusy(undefined);
    }
  };
  if (devices === undefined) {
    return error === undefined ? (
      <EmptyState />
    ) : (
      <EmptyState
        loading={false}
        hero="lost"
        title={t("devices.loadFailed")}
        description={error.message}
        add={{ label: t("tryAgain"), contentType: "device", onAdd: () => void mutate() }}
      />
    );
  }
  return (
    <section className={`card ${styles.card}`} aria-label={t("devices")}>
      <Text className="quiet">{t("devices.about")}</Text>
      <ul className={styles.rows}>
        {devices.map((device) => (
          <li key={device.id} className={styles.row}>
            <div>
              <strong>{nameOf(device)}</strong>{" "}
              {device.is_current && (
                <Badge variant="light" color="teal">
                  {t("thisBrowser")}
                </Badge>
              )}
              <Text size="sm" className="quiet">
                {t("devices.lastUsed", { lastUsedAt: day(device.last_used_at) })}
                {device.network !== "" && ` · ${device.network}`}{" "}
                {t("devices.signedIn", { createdAt: day(device.created_at) })}
              </Text>
            </div>
            {!device.is_current && (
              <Button
                size="xs"
                variant="default"
                loading={busy === device.id}
                aria-label={t("devices.signOut", { device: nameOf(device) })}
                onClick={() =>
                  void run(device.id, async () => {
                    await signOutDevice(device.id);
                    return t("devices.signedOut", { device: nameOf(device) });
                  })
                }
              >
                {t("signOut")}
              </Button>
            )}
          </li>
        ))}
      </ul>
      <div>
        <Button
          variant="default"
          disabled={devices.length < 2}
          loading={busy === "all"}
          onClick={() =>
            void run("all", async () => {
              const count = await signOutOthers();
              return t("count", { count });
            })
          }
        >
          {t("devices.signOutOthers")}
        </Button>
      </div>
    </section>
  );
}
