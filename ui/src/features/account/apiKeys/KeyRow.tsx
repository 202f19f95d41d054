import { Badge, Button, Text } from "@mantine/core";
import { useState } from "react";
import { t } from "../../../platform/i18n/en/apiKeys";
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
      toast("success", t("theKeyApikeynameIsRevoked", { apiKeyName: apiKey.name }));
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
            {t("expired")}
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
        aria-label={t("revokeApikeyname", { apiKeyName: apiKey.name })}
        onClick={() => setAsking(true)}
      >
        {t("revoke")}
      </Button>
      <Question
        opened={asking}
        title={t("revokeApikeyname2", { apiKeyName: apiKey.name })}
        verb={t("revokeTheKey")}
        onConfirm={revoke}
        onClose={() => setAsking(false)}
      >
        {t("programsThatUseThisKey")}
      </Question>
    </li>
  );
}

/** What there is to say about a key, the most useful first. */
function details(key: ApiKey): string[] {
  const used = Math.ceil(key.seconds_used / 60);
  const minutes =
    key.minutes_month === null
      ? used > 0 && t("usedMinUsedThisMonth", { used })
      : t("usedOfMinutesmonthMinUsed", { used, minutesMonth: key.minutes_month });
  return [
    key.last_used_at === null
      ? t("neverUsed")
      : t("lastUsedLastusedat", { lastUsedAt: day(key.last_used_at) }),
    minutes,
    t("requestsminuteCallsAMinute", { requestsMinute: key.requests_minute }),
    key.expires_at === null
      ? t("doesNotExpire")
      : t(key.has_expired ? "expiredOn" : "expiresOn", { day: day(key.expires_at) }),
    !key.is_own && t("madeByMaker", { maker: key.maker }),
  ].filter((part): part is string => typeof part === "string");
}
