import { CloseButton, Progress, Text } from "@mantine/core";
import type { ComponentType } from "react";
import { Link } from "react-router";
import { t } from "../../platform/messages/shell";
import {
  IconAlertTriangle,
  IconBell,
  IconCheck,
  IconExclamationMark,
  IconWaveSine,
} from "../../platform/theme/icons";
import { dismiss, isBusy, type Notice, type NoticeType } from "../../platform/notices/store";
import styles from "./notifications.module.css";

const MARKS: Record<NoticeType, ComponentType<{ size: number; stroke?: number }>> = {
  success: IconCheck,
  info: IconWaveSine,
  warning: IconAlertTriangle,
  error: IconExclamationMark,
  generic: IconBell,
};

export function NoticeCard({ notice }: { notice: Notice }) {
  const Mark = MARKS[notice.type];
  return (
    <li className={styles.notice} data-testid="notice" data-type={notice.type}>
      <span className={styles.noticeMark} aria-hidden="true">
        <Mark size={15} stroke={2} />
      </span>
      <div className={styles.noticeBody}>
        {notice.route === null ? (
          <Text size="sm">{notice.message}</Text>
        ) : (
          <Link to={notice.route} className={styles.noticeLink}>
            {notice.message}
          </Link>
        )}
        {notice.name !== null && (
          <Text size="xs" className="quiet" truncate>
            {notice.name}
          </Text>
        )}
        {isBusy(notice) && notice.progress !== null && (
          <Progress
            value={notice.progress}
            size={4}
            mt={6}
            aria-label={`${notice.message} ${notice.progress}%`}
          />
        )}
      </div>
      {notice.is_disposable && (
        <CloseButton aria-label={t("notices.dismiss")} onClick={() => dismiss(notice)} />
      )}
    </li>
  );
}
