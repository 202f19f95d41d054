import { ActionIcon, CopyButton, Tooltip } from "@mantine/core";
import { t } from "../../../platform/messages/admin";
import { IconCheck, IconCopy } from "../../../platform/theme/icons";
import type { ProviderEntry } from "./data";
import styles from "./providers.module.css";

const ADDRESSES = [
  { name: "redirect_uri", label: t("providers.redirectUri") },
  { name: "post_logout_redirect_uri", label: t("providers.postLogoutUri") },
  { name: "back_channel_logout_uri", label: t("providers.backChannelUri") },
  { name: "front_channel_logout_uri", label: t("providers.frontChannelUri") },
] as const;

/** The addresses of ours that somebody enters at the provider. */
export function Addresses({ entry }: { entry: ProviderEntry }) {
  return (
    <details className={styles.addresses}>
      <summary>{t("providers.addresses")}</summary>
      <dl>
        {ADDRESSES.map(({ name, label }) => (
          <div key={name}>
            <dt>{label}</dt>
            <dd>
              <code>{entry[name]}</code>
              <CopyButton value={entry[name]}>
                {({ copied, copy }) => (
                  <Tooltip label={copied ? t("providers.copied") : t("providers.copy")}>
                    <ActionIcon
                      variant="subtle"
                      aria-label={t("providers.copyLabel", { label })}
                      onClick={copy}
                    >
                      {copied ? <IconCheck size={15} /> : <IconCopy size={15} />}
                    </ActionIcon>
                  </Tooltip>
                )}
              </CopyButton>
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
