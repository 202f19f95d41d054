import { Badge, Button, Group, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { day } from "../../domain/files/format";
import { t } from "../../platform/messages/reviewLinks";
import { toast } from "../../platform/notices/toast";
import { copyText } from "../../platform/page/copyText";
import { Question } from "../../platform/page/Question";
import { IconCheck, IconCopy } from "../../platform/theme/icons";
import { rightsLabel, type ReviewLink } from "./data";
import styles from "./reviewLinks.module.css";

const STATES: Record<ReviewLink["state"], string> = {
  open: "",
  expired: t("link.expired"),
  revoked: t("link.revoked"),
  maker_gone: t("link.makerGone"),
};

export function LinkRow({ link, onRevoke }: { link: ReviewLink; onRevoke: () => Promise<void> }) {
  const [asking, setAsking] = useState(false);
  const [copied, setCopied] = useState<boolean>();
  const isOpen = link.state === "open";
  const rights = rightsLabel(link.rights);
  const revoke = async () => {
    try {
      await onRevoke();
    } catch (problem) {
      toast("error", (problem as Error).message);
    }
  };
  return (
    <li className={styles.link} data-testid="review-link" data-state={link.state}>
      <Group gap="xs">
        <strong>{rights}</strong>
        {!isOpen && <Badge color="gray">{STATES[link.state]}</Badge>}
        {link.has_password && <Badge variant="light">{t("link.hasPassword")}</Badge>}
      </Group>
      <Text size="sm" className="quiet">
        {t("link.facts", { by: link.by ?? t("link.nobody"), until: day(link.expires_at) })}
      </Text>
      {isOpen && link.url !== null && (
        <Group gap="xs" wrap="nowrap">
          <TextInput
            className={styles.url}
            aria-label={t("link.address", { rights })}
            readOnly
            value={link.url}
            onFocus={(event) => event.currentTarget.select()}
          />
          <Button
            variant="light"
            leftSection={copied === true ? <IconCheck size={16} /> : <IconCopy size={16} />}
            onClick={() => void copyText(link.url ?? "").then(setCopied)}
          >
            {copied === true ? t("link.copied") : t("link.copy")}
          </Button>
        </Group>
      )}
      {copied === false && (
        <Text size="sm" role="status" className="danger-text">
          {t("link.copyFailed")}
        </Text>
      )}
      <Text size="sm" className="quiet">
        {link.reviewers.length === 0
          ? t("link.nobodyYet")
          : t("link.openedBy", {
              names: link.reviewers
                .map(({ name, seen_at }) => t("link.reviewer", { name, seen: day(seen_at) }))
                .join(" · "),
            })}
      </Text>
      {isOpen && (
        <Group>
          <Button size="xs" variant="default" onClick={() => setAsking(true)}>
            {t("link.revoke")}
          </Button>
        </Group>
      )}
      <Question
        opened={asking}
        title={t("link.revokeQuestion")}
        verb={t("link.revoke")}
        onConfirm={revoke}
        onClose={() => setAsking(false)}
      >
        {t("link.revokeAbout")}
      </Question>
    </li>
  );
}
