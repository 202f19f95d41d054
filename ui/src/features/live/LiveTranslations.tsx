import { Button, Popover, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { api, sentenceOf, unwrap } from "../../platform/api/client";
import { t } from "../../platform/messages/live";
import { toast } from "../../platform/notices/toast";
import { IconLanguage } from "../../platform/theme/icons";
import type { Live } from "./data";
import { TranslateTo } from "./TranslateTo";

/** Choose the languages of a recording that runs. */
export function LiveTranslations({ live }: { live: Live }) {
  const [chosen, setChosen] = useState(live.translate_to);
  const change = async (translate_to: string[]) => {
    const before = chosen;
    setChosen(translate_to);
    try {
      const call = { params: { path: { key: live.slug } }, body: { translate_to } };
      await unwrap(api.PUT("/api/live/{key}/translations", call));
    } catch (error) {
      setChosen(before);
      toast("error", sentenceOf(error, t("translateTo.failed")));
    }
  };
  return (
    <Popover position="bottom-end" width={360} shadow="md" trapFocus>
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<IconLanguage size={18} />}
          data-testid="live-translations"
        >
          {t("translations", { count: chosen.length })}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="sm">
          <Text size="sm">{t("translateTo.about")}</Text>
          <TranslateTo
            from={live.language}
            value={chosen}
            onChange={(codes) => void change(codes)}
          />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
