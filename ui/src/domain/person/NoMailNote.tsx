import { Text } from "@mantine/core";
import { usePublicConfig } from "../../platform/api/publicConfig";
import { t } from "../../platform/messages/shell";

/** Shown where somebody waits for a mail that does not leave this installation. */
export function NoMailNote() {
  if (usePublicConfig()?.mail !== false) return null;
  return (
    <Text size="sm" className="quiet">
      {t("forgot.noMail")}
    </Text>
  );
}
