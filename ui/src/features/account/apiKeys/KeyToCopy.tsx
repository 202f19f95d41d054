import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { IconCheck, IconCopy } from "../../../theme/icons";
import { copyText } from "../../aitext/copyText";

/** A key right after it was made. The server keeps only its hash, so this is the one time to copy it. */
export function KeyToCopy({ secret, onClose }: { secret: string; onClose: () => void }) {
  const [copied, setCopied] = useState<boolean>();
  return (
    <Stack gap="md">
      <Text>
        This is the only time that we show this key. Store it where your program reads its secrets.
      </Text>
      <TextInput
        label="Your key"
        readOnly
        value={secret}
        data-testid="made-key"
        styles={{ input: { fontFamily: "monospace" } }}
        onFocus={(event) => event.currentTarget.select()}
      />
      <Text className={copied === false ? "danger-text" : "quiet"} role="status" mih="1.5em">
        {copied === true && "Copied."}
        {copied === false && "The browser did not let us copy it. Select the key and copy it."}
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Done
        </Button>
        <Button
          data-autofocus
          leftSection={copied === true ? <IconCheck size={17} /> : <IconCopy size={17} />}
          onClick={() => void copyText(secret).then(setCopied)}
        >
          Copy the key
        </Button>
      </Group>
    </Stack>
  );
}
