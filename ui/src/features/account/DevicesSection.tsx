import { Badge, Button, Text } from "@mantine/core";
import { useState } from "react";
import { EmptyState } from "../../layouts/EmptyState";
import { day } from "../files/format";
import { toast } from "../notifications/toast";
import { signOutDevice, signOutOthers, useDevices, type Device } from "./data";
import styles from "./account.module.css";

const nameOf = ({ browser, system }: Device): string =>
  [browser ?? "Unknown browser", system].filter(Boolean).join(" on ");

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
        title="Your devices could not be loaded"
        description={error.message}
        add={{ label: "Try again", contentType: "device", onAdd: () => void mutate() }}
      />
    );
  }
  return (
    <section className={`card ${styles.card}`} aria-label="Devices">
      <Text className="quiet">
        You are signed in here. Sign out whatever you do not recognise, and change your password.
      </Text>
      <ul className={styles.rows}>
        {devices.map((device) => (
          <li key={device.id} className={styles.row}>
            <div>
              <strong>{nameOf(device)}</strong>{" "}
              {device.is_current && (
                <Badge variant="light" color="teal">
                  This browser
                </Badge>
              )}
              <Text size="sm" className="quiet">
                Last used {day(device.last_used_at)}
                {device.network !== "" && ` · ${device.network}`} · signed in{" "}
                {day(device.created_at)}
              </Text>
            </div>
            {!device.is_current && (
              <Button
                size="xs"
                variant="default"
                loading={busy === device.id}
                aria-label={`Sign out ${nameOf(device)}`}
                onClick={() =>
                  void run(device.id, async () => {
                    await signOutDevice(device.id);
                    return `${nameOf(device)} is signed out.`;
                  })
                }
              >
                Sign out
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
              return count === 1 ? "1 browser is signed out." : `${count} browsers are signed out.`;
            })
          }
        >
          Sign out everywhere else
        </Button>
      </div>
    </section>
  );
}
