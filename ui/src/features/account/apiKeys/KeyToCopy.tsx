import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { t } from "../../../platform/messages/account";
import { IconCheck, IconCopy } from "../../../platform/theme/icons";
import { copyText } from "../../../platform/page/copyText";

/** A key right after it was made. The server keeps only its hash, so this is the one time to copy it. */
export function KeyToCopy({ secret, onClose }: { secret: string; onClose: () => void }) {
  const [copied, setCopied] = useState<boolean>();
  return (
    <Stack gap="md">
      <Text>{t("apiKeys.made.onlyOnce")}</Text>
      <TextInput
        label={t("apiKeys.yourKey")}
        readOnly
        value={secret}
        data-testid="made-key"
        styles={{ input: { fontFamily: "monospace" } }}
        onFocus={(event) => event.currentTarget.select()}
      />
      <Text className={copied === false ? "danger-text" : "quiet"} role="status" mih="1.5em">
        {copied === true && t("apiKeys.copied")}
        {copied === false && t("apiKeys.copy.failed")}
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t("apiKeys.done")}
        </Button>
        <Button
          data-autofocus
          leftSection={copied === true ? <IconCheck size={17} /> : <IconCopy size={17} />}
          onClick={() => void copyText(secret).then(setCopied)}
        >
          {t("apiKeys.made.copy")}
        </Button>
      </Group>
    </Stack>
  );
}
