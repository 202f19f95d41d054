import { Badge, Button, Text } from "@mantine/core";
import { useState } from "react";
import { day } from "../../files/format";
import { toast } from "../../notifications/toast";
import { Question } from "../../teams/Question";
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
      toast("success", `The key ${apiKey.name} is revoked.`);
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
            Expired
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
        aria-label={`Revoke ${apiKey.name}`}
        onClick={() => setAsking(true)}
      >
        Revoke
      </Button>
      <Question
        opened={asking}
        title={`Revoke ${apiKey.name}?`}
        verb="Revoke the key"
        onConfirm={revoke}
        onClose={() => setAsking(false)}
      >
        Programs that use this key are refused from now on. This cannot be undone, but you can make
        another key.
      </Question>
    </li>
  );
}

/** What there is to say about a key, the most useful first. */
function details(key: ApiKey): string[] {
  const used = Math.ceil(key.seconds_used / 60);
  const minutes =
    key.minutes_month === null
      ? used > 0 && `${used} min used this month`
      : `${used} of ${key.minutes_month} min used this month`;
  return [
    key.last_used_at === null ? "Never used" : `Last used ${day(key.last_used_at)}`,
    minutes,
    `${key.requests_minute} calls a minute`,
    key.expires_at === null
      ? "does not expire"
      : `${key.has_expired ? "expired" : "expires"} ${day(key.expires_at)}`,
    !key.is_own && `made by ${key.maker}`,
  ].filter((part): part is string => typeof part === "string");
}
