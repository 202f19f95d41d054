import { ActionIcon, Button, Chip, Group, Indicator, Popover, Text } from "@mantine/core";
import { useState } from "react";
import { t } from "../../platform/messages/shell";
import { IconBell } from "../../platform/theme/icons";
import { NoticeCard } from "./NoticeCard";
import {
  CATEGORIES,
  clearNotices,
  isBusy,
  useNotices,
  type NoticeCategory,
} from "../../platform/notices/store";
import { usePaymentNotice } from "./usePaymentNotice";
import styles from "./notifications.module.css";

const LABELS: Record<NoticeCategory, string> = {
  subscriptions: t("notices.plan"),
  ui: t("notices.connection"),
  assets: t("notices.uploads"),
  files: t("notices.files"),
  export: t("notices.exports"),
};

/** The notification area: the state of each file, newest first. */
export default function NotificationBell() {
  usePaymentNotice();
  const notices = useNotices();
  const busy = notices.some(isBusy);
  const [chosen, setChosen] = useState<NoticeCategory>();
  const categories = CATEGORIES.filter((each) => notices.some(({ category }) => category === each));
  // The chosen category may have lost its last notice.
  const shown = chosen !== undefined && categories.includes(chosen) ? chosen : undefined;
  return (
    <Popover position="bottom-end" width={380} shadow="lg" radius="lg" trapFocus>
      <Indicator
        disabled={notices.length === 0}
        processing={busy}
        color={busy ? "amber.5" : "spruce"}
        size={8}
        offset={7}
      >
        <Popover.Target>
          <ActionIcon size="lg" aria-label={t("notices.label", { notices: notices.length })}>
            <IconBell size={19} />
          </ActionIcon>
        </Popover.Target>
      </Indicator>
      <Popover.Dropdown p="sm" data-testid="notifications">
        <Group justify="space-between" mb="xs" px={4}>
          <Text fw={600}>{t("notices.notifications")}</Text>
          {notices.length > 0 && (
            <Button variant="subtle" size="compact-sm" onClick={clearNotices}>
              {t("notices.clearAll")}
            </Button>
          )}
        </Group>
        {notices.length === 0 && (
          <Text className="quiet" size="sm" px={4} pb={4}>
            {t("notices.empty")}
          </Text>
        )}
        {categories.length > 1 && (
          <Chip.Group
            value={shown ?? "all"}
            onChange={(value) => setChosen(value === "all" ? undefined : (value as NoticeCategory))}
          >
            <Group gap={6} mb="xs" px={4} role="group" aria-label={t("notices.settings")}>
              <Chip size="xs" value="all">
                {t("notices.all")}
              </Chip>
              {categories.map((category) => (
                <Chip key={category} size="xs" value={category}>
                  {LABELS[category]}
                </Chip>
              ))}
            </Group>
          </Chip.Group>
        )}
        <ul className={styles.notices} aria-live="polite">
          {notices
            .filter(({ category }) => shown === undefined || category === shown)
            .map((notice) => (
              <NoticeCard key={`${notice.slug}/${notice.child ?? ""}`} notice={notice} />
            ))}
        </ul>
      </Popover.Dropdown>
    </Popover>
  );
}
