import { Button, CopyButton, Group, Stack, Text } from "@mantine/core";
import { t } from "../../platform/messages/account";
import { IconCheck, IconCopy, IconDownload } from "../../platform/theme/icons";
import styles from "./account.module.css";

/** The recovery codes, shown once: to copy, to save, or to write down. */
export function RecoveryCodes({
  codes,
  about,
  onClose,
}: {
  codes: string[];
  about: string;
  onClose: () => void;
}) {
  const text = `${codes.join("\n")}\n`;
  return (
    <Stack gap="md">
      <Text>{about}</Text>
      <ul className={styles.codes} aria-label={t("factor.codes.title")}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <Group>
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <Button
              variant="default"
              leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
              onClick={copy}
            >
              {copied ? t("factor.codes.copied") : t("factor.codes.copy")}
            </Button>
          )}
        </CopyButton>
        <Button
          variant="default"
          component="a"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          download="sagascript-recovery-codes.txt"
          leftSection={<IconDownload size={16} />}
        >
          {t("factor.codes.save")}
        </Button>
      </Group>
      <Group justify="flex-end">
        <Button onClick={onClose}>{t("factor.codes.done")}</Button>
      </Group>
    </Stack>
  );
}
