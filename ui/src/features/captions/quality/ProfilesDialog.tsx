import { Button, Modal } from "@mantine/core";
import { useState } from "react";
import { t } from "../../../platform/messages/quality";
import { toast } from "../../../platform/notices/toast";
import { useProfileChanges, useProfiles } from "./data";
import { ProfileForm } from "./ProfileForm";
import type { Limits, Profile } from "../../../domain/captions/quality/types";
import styles from "./quality.module.css";

interface Props {
  /** The profile that a new one begins as a copy of. */
  like: Profile | undefined;
  onClose: () => void;
}

type Open = { id: string | null; limits: Limits };

/** One's own profiles and those of the team: copy one, change its limits, delete it. */
export default function ProfilesDialog({ like, onClose }: Props) {
  const { data: profiles = [] } = useProfiles();
  const changes = useProfileChanges();
  const [open, setOpen] = useState<Open | null>(null);
  const own = profiles.filter(({ scope }) => scope !== "built_in");
  const copyOf = ({ limits }: Profile): Open => ({
    id: null,
    limits: { ...limits, ours: [], name: t("copyName", { name: limits.name }).slice(0, 80) },
  });
  const attempt = async (work: () => Promise<unknown>) => {
    try {
      await work();
      setOpen(null);
    } catch (error) {
      toast("error", (error as Error).message);
    }
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t("manage")}
      size="lg"
      closeButtonProps={{ "aria-label": t("close") }}
    >
      {open === null ? (
        <div className={styles.panel} data-testid="profiles">
          {own.length === 0 && <p className="quiet">{t("noOwn")}</p>}
          <ul className={styles.list}>
            {own.map((profile) => (
              <li key={profile.id} className={styles.own}>
                <span>
                  <b>{profile.limits.name}</b>
                  {profile.scope === "team" && <span className="quiet"> · {t("team")}</span>}
                </span>
                {profile.may_change && (
                  <Button
                    size="compact-sm"
                    variant="subtle"
                    aria-label={t("editNamed", { name: profile.limits.name })}
                    onClick={() => setOpen({ id: profile.id, limits: profile.limits })}
                  >
                    {t("edit")}
                  </Button>
                )}
                <Button
                  size="compact-sm"
                  variant="subtle"
                  aria-label={t("copyNamed", { name: profile.limits.name })}
                  onClick={() => setOpen(copyOf(profile))}
                >
                  {t("copy")}
                </Button>
                {profile.may_change && (
                  <Button
                    size="compact-sm"
                    variant="subtle"
                    color="red"
                    aria-label={t("deleteNamed", { name: profile.limits.name })}
                    onClick={() => void attempt(() => changes.remove(profile.id))}
                  >
                    {t("delete")}
                  </Button>
                )}
              </li>
            ))}
          </ul>
          {like !== undefined && (
            <Button data-testid="new-profile" onClick={() => setOpen(copyOf(like))}>
              {t("newLike", { name: like.limits.name })}
            </Button>
          )}
        </div>
      ) : (
        <ProfileForm
          limits={open.limits}
          onCancel={() => setOpen(null)}
          onSave={(limits) =>
            attempt(() =>
              open.id === null ? changes.add(limits) : changes.change(open.id, limits),
            )
          }
        />
      )}
    </Modal>
  );
}
