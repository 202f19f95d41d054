import { Text } from "@mantine/core";
import { usePublicConfig } from "../../api/publicConfig";

/** Shown where somebody waits for a mail that does not leave this installation. */
export function NoMailNote() {
  if (usePublicConfig()?.mail !== false) return null;
  return (
    <Text size="sm" className="quiet">
      This installation does not send mail. Whoever runs it finds your mail in the folder “mail” of
      its data folder.
    </Text>
  );
}
