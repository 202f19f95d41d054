import { Button, Switch } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import { useEffect, useState } from "react";
import { useSWRConfig } from "swr";
import { keys } from "../../platform/api/keys";
import { t } from "../../platform/messages/teams";
import { IconEye } from "../../platform/theme/icons";
import type { User } from "../../domain/person/session";
import { reportAccess } from "../../domain/captions/changes";
import { toast } from "../../platform/notices/toast";
import { allowChanges, endBrowsing } from "./data";
import styles from "./browseAs.module.css";

const SECOND_MS = 1_000;
const WARN_BEFORE_S = 120;

/** Shows on every page while an administrator uses somebody's account. Ends the look when its time is over. */
export default function BrowseAsBanner({
  user,
}: {
  user: User & { browse_as: NonNullable<User["browse_as"]> };
}) {
  const { ends_at, may_change, admin_name } = user.browse_as;
  const left = useSecondsUntil(ends_at);
  const { mutate } = useSWRConfig();
  const { ref, height } = useElementSize<HTMLElement>();
  const [busy, setBusy] = useState(false);

  useEffect(() => {
    // The layouts below make room for the banner.
    document.documentElement.style.setProperty("--banner-height", `${height + 1}px`);
    return () => void document.documentElement.style.removeProperty("--banner-height");
  }, [height]);

  const attempt = async (call: () => Promise<void>) => {
    setBusy(true);
    try {
      await call();
    } catch (problem) {
      toast("error", (problem as Error).message);
    }
    setBusy(false);
  };
  const isOver = left <= 0;
  useEffect(() => {
    if (isOver) void endBrowsing(user.id).catch(() => window.location.assign("/admin/users"));
  }, [isOver, user.id]);

  return (
    <aside ref={ref} className={styles.banner} aria-label={t("browseAs.title")}>
      <p className={styles.who}>
        <IconEye size={18} aria-hidden="true" />
        <span>
          {t.rich("browseAs.banner", {
            userName: user.name,
            b: (parts) => <strong>{parts}</strong>,
            email: user.email,
            adminName: admin_name,
          })}
        </span>
      </p>
      <div className={styles.tools}>
        <span
          className="tabular"
          role="timer"
          aria-label={t("browseAs.timeLeft")}
          data-soon={left < WARN_BEFORE_S || undefined}
        >
          {clock(left)}
        </span>
        <Switch
          label={t("browseAs.allowChanges")}
          size="sm"
          checked={may_change}
          disabled={busy}
          onChange={({ currentTarget: { checked } }) =>
            void attempt(async () => {
              await allowChanges(checked);
              // Every answer says what one may do, and an open editor looks by itself.
              reportAccess();
              await mutate((key) => key !== keys.config);
            })
          }
        />
        <Button
          size="compact-sm"
          loading={busy}
          onClick={() => void attempt(() => endBrowsing(user.id))}
        >
          {t("browseAs.end")}
        </Button>
      </div>
    </aside>
  );
}

const clock = (seconds: number): string => {
  const whole = Math.max(0, Math.ceil(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
};

function useSecondsUntil(moment: string): number {
  const until = new Date(moment).getTime();
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, []);
  return (until - now) / 1_000;
}
