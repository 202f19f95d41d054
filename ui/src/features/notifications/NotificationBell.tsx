import {
  ActionIcon,
  Button,
  CloseButton,
  Group,
  Indicator,
  Popover,
  Progress,
  Stack,
  Text,
} from "@mantine/core";
import { Link } from "react-router";
import { clearNotices, dismiss, useNotices, type NoticeType } from "./store";
import "./notifications.css";

const MARKS: Record<NoticeType, string> = {
  success: "✓",
  info: "i",
  warning: "!",
  error: "×",
  generic: "·",
};

/** The notification area: what happens to each file, newest first. */
export function NotificationBell() {
  const notices = useNotices();
  const working = notices.filter((notice) => !notice.is_completed && notice.type === "info").length;
  return (
    <Popover position="bottom-end" width={360} shadow="md" withinPortal>
      <Popover.Target>
        <Indicator disabled={notices.length === 0} processing={working > 0} size={9} offset={6}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={`Notifications, ${notices.length} shown`}
          >
            <svg width="20" height="20" viewBox="0 0 24 24" fill="none" aria-hidden="true">
              <path
                d="M6 10a6 6 0 1 1 12 0c0 5 2 6 2 7H4c0-1 2-2 2-7Zm4 10a2 2 0 0 0 4 0"
                stroke="currentColor"
                strokeWidth="1.8"
                strokeLinecap="round"
                strokeLinejoin="round"
              />
            </svg>
          </ActionIcon>
        </Indicator>
      </Popover.Target>
      <Popover.Dropdown>
        <Group justify="space-between" mb="xs">
          <Text fw={600}>Notifications</Text>
          {notices.length > 0 && (
            <Button variant="subtle" size="compact-sm" onClick={clearNotices}>
              Clear all
            </Button>
          )}
        </Group>
        {notices.length === 0 && <Text className="quiet">Nothing is happening right now.</Text>}
        <Stack gap={6} component="ul" className="notices" aria-live="polite">
          {notices.map((notice) => (
            <li
              key={`${notice.slug}/${notice.child ?? ""}`}
              className={`notice notice-${notice.type}`}
            >
              <span className="notice-mark" aria-hidden="true">
                {MARKS[notice.type]}
              </span>
              <div className="notice-body">
                {notice.route === null ? (
                  <Text size="sm">{notice.message}</Text>
                ) : (
                  <Text size="sm" component={Link} to={notice.route} c="inherit">
                    {notice.message}
                  </Text>
                )}
                {notice.progress !== null && !notice.is_completed && (
                  <Progress value={notice.progress} size="xs" mt={4} aria-label={notice.message} />
                )}
              </div>
              <CloseButton
                size="sm"
                aria-label="Remove this message"
                onClick={() => dismiss(notice)}
              />
            </li>
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
