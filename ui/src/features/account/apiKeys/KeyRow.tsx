import { Badge, Button, Text } from "@mantine/core";
import { useState } from "react";
import { t } from "../../../platform/messages/account";
import { day } from "../../../domain/files/format";
import { toast } from "../../../platform/notices/toast";
import { Question } from "../../../platform/page/Question";
import accountStyles from "../account.module.css";
import { revokeKey, scopeNames, type ApiKey } from "./data";

interface Props {
  apiKey: ApiKey;
  /** The team that the key acts for. */
  teamName: string | undefined;
  onRevoked: () => Promise<unknown>;
}

export function KeyRow({ apiKey, teamName, onRevoked }: Props) {
  const [asking, setAsking] = useState(false);

  const revoke = async () => {
    try {
      await revokeKey(apiKey.id);
      toast("success", t("apiKeys.revoke.done", { apiKeyName: apiKey.name }));
    } catch (problem) {
      toast("error", (problem as Error).message);
    } finally {
      await onRevoked();
    }
  };
  return (
    <li className={accountStyles.row} data-testid="api-key">
      <div>
        <strong>{apiKey.name}</strong> <code>{apiKey.prefix}…</code>{" "}
        {apiKey.has_expired && (
          <Badge variant="light" color="red">
            {t("apiKeys.expired")}
          </Badge>
        )}{" "}
        {teamName !== undefined && <Badge variant="light">{teamName}</Badge>}
        <Text size="sm" className="quiet">
          {scopeNames(apiKey.scopes)}
        </Text>
        <Text size="sm" className="quiet">
          {details(apiKey).join(" · ")}
        </Text>
      </div>
      <Button
        size="xs"
        variant="default"
        aria-label={t("apiKeys.revoke.named", { apiKeyName: apiKey.name })}
        onClick={() => setAsking(true)}
      >
        {t("apiKeys.revoke")}
      </Button>
      <Question
        opened={asking}
        title={t("apiKeys.revoke.question", { apiKeyName: apiKey.name })}
        verb={t("apiKeys.revoke.label")}
        onConfirm={revoke}
        onClose={() => setAsking(false)}
      >
        {t("apiKeys.revoke.about")}
      </Question>
    </li>
  );
}

/** What there is to say about a key, the most useful first. */
function details(key: ApiKey): string[] {
  const used = Math.ceil(key.seconds_used / 60);
  const minutes =
    key.minutes_month === null
      ? used > 0 && t("apiKeys.used.minutes", { used })
      : t("apiKeys.used.ofMinutes", { used, minutesMonth: key.minutes_month });
  return [
    key.last_used_at === null
      ? t("apiKeys.neverUsed")
      : t("apiKeys.lastUsed", { lastUsedAt: day(key.last_used_at) }),
    minutes,
    t("apiKeys.limit.calls", { requestsMinute: key.requests_minute }),
    key.expires_at === null
      ? t("apiKeys.expires.never")
      : t(key.has_expired ? "apiKeys.expiredOn" : "apiKeys.expiresOn", {
          day: day(key.expires_at),
        }),
    !key.is_own && t("apiKeys.madeBy", { maker: key.maker }),
  ].filter((part): part is string => typeof part === "string");
}
