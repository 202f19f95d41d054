import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { t } from "../../../platform/i18n/en/apiKeys";
import { IconCheck, IconCopy } from "../../../platform/theme/icons";
import { copyText } from "../../../platform/page/copyText";

/** A key right after it was made. The server keeps only its hash, so this is the one time to copy it. */
export function KeyToCopy({ secret, onClose }: { secret: string; onClose: () => void }) {
  const [copied, setCopied] = useState<boolean>();
  return (
    <Stack gap="md">
      <Text>{t("thisIsTheOnlyTime")}</Text>
      <TextInput
        label={t("yourKey")}
        readOnly
        value={secret}
        data-testid="made-key"
        styles={{ input: { fontFamily: "monospace" } }}
        onFocus={(event) => event.currentTarget.select()}
      />
      <Text className={copied === false ? "danger-text" : "quiet"} role="status" mih="1.5em">
        {copied === true && t("copied")}
        {copied === false && t("theBrowserDidNotLet")}
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t("done")}
        </Button>
        <Button
          data-autofocus
          leftSection={copied === true ? <IconCheck size={17} /> : <IconCopy size={17} />}
          onClick={() => void copyText(secret).then(setCopied)}
        >
          {t("copyTheKey")}
        </Button>
      </Group>
    </Stack>
  );
}
