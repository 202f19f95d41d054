import { Alert, Button, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { day } from "../../../domain/files/format";
import { t } from "../../../platform/messages/admin";
import { toast } from "../../../platform/notices/toast";
import { copyText } from "../../../platform/page/copyText";
import { Question } from "../../../platform/page/Question";
import { endToken, makeToken, type ProviderEntry } from "./data";
import styles from "./providers.module.css";

interface Props {
  entry: ProviderEntry;
  onChange: () => Promise<void>;
}

/** Lets a provider keep people and groups up to date here (SCIM): its address of ours, and the token of its calls. */
export function Provisioning({ entry, onChange }: Props) {
  const { provider, provisioning_url, provisioned, token_made_at, token_used_at } = entry;
  const [token, setToken] = useState<string>();
  const [copied, setCopied] = useState<boolean>();
  const [busy, setBusy] = useState(false);
  const [asking, setAsking] = useState<"new" | "end">();
  const attempt = async (work: () => Promise<void>) => {
    setBusy(true);
    try {
      await work();
      await onChange();
    } catch (failure) {
      toast("error", (failure as Error).message);
    }
    setBusy(false);
  };
  const make = () =>
    attempt(async () => {
      setCopied(undefined);
      setToken(await makeToken(provider.slug));
    });
  const end = () =>
    attempt(async () => {
      await endToken(provider.slug);
      setToken(undefined);
    });
  return (
    <details className={styles.addresses}>
      <summary>{t("providers.scim")}</summary>
      <Text size="sm" className="quiet">
        {t("providers.scim.about")}
      </Text>
      <dl>
        <div>
          <dt>{t("providers.scim.url")}</dt>
          <dd>
            <code>{provisioning_url}</code>
          </dd>
        </div>
      </dl>
      <Text size="sm">
        {token_made_at === null
          ? t("providers.scim.off")
          : t("providers.scim.on", {
              made: day(token_made_at),
              used: token_used_at === null ? t("providers.scim.never") : day(token_used_at),
              people: provisioned,
            })}
      </Text>
      {token !== undefined && (
        <Alert color="teal" role="status">
          <TextInput
            label={t("providers.scim.token")}
            description={t("providers.scim.once")}
            readOnly
            value={token}
            data-testid="scim-token"
            onFocus={(event) => event.currentTarget.select()}
          />
          <Button
            mt="xs"
            size="compact-sm"
            variant="default"
            onClick={() => void copyText(token).then(setCopied)}
          >
            {copied === true ? t("providers.copied") : t("providers.copy")}
          </Button>
        </Alert>
      )}
      <div className={styles.buttons}>
        <Button
          size="compact-sm"
          variant="default"
          loading={busy}
          onClick={() => (token_made_at === null ? void make() : setAsking("new"))}
        >
          {token_made_at === null ? t("providers.scim.make") : t("providers.scim.again")}
        </Button>
        {token_made_at !== null && (
          <Button
            size="compact-sm"
            variant="subtle"
            color="red"
            disabled={busy}
            onClick={() => setAsking("end")}
          >
            {t("providers.scim.end")}
          </Button>
        )}
      </div>
      <Question
        opened={asking !== undefined}
        title={asking === "end" ? t("providers.scim.end") : t("providers.scim.again")}
        verb={asking === "end" ? t("providers.scim.end") : t("providers.scim.again")}
        onConfirm={asking === "end" ? end : make}
        onClose={() => setAsking(undefined)}
      >
        {asking === "end" ? t("providers.scim.endAbout") : t("providers.scim.againAbout")}
      </Question>
    </details>
  );
}
