import { ActionIcon, Button, Group, Indicator, Popover, Text } from "@mantine/core";
import { IconBell } from "../../theme/icons";
import { NoticeCard } from "./NoticeCard";
import { clearNotices, isBusy, useNotices } from "./store";
import styles from "./notifications.module.css";

/** The notification area: the state of each file, newest first. */
export default function NotificationBell() {
  const notices = useNotices();
  const busy = notices.some(isBusy);
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
          <ActionIcon size="lg" aria-label={`Notifications, ${notices.length} shown`}>
            <IconBell size={19} />
          </ActionIcon>
        </Popover.Target>
      </Indicator>
      <Popover.Dropdown p="sm" data-testid="notifications">
        <Group justify="space-between" mb="xs" px={4}>
          <Text fw={600}>Notifications</Text>
          {notices.length > 0 && (
            <Button variant="subtle" size="compact-sm" onClick={clearNotices}>
              Clear all
            </Button>
          )}
        </Group>
        {notices.length === 0 && (
          <Text className="quiet" size="sm" px={4} pb={4}>
            You are all caught up. Progress on your files will appear here.
          </Text>
        )}
        <ul className={styles.notices} aria-live="polite">
          {notices.map((notice) => (
            <NoticeCard key={`${notice.slug}/${notice.child ?? ""}`} notice={notice} />
          ))}
        </ul>
      </Popover.Dropdown>
    </Popover>
  );
}
