import { ActionIcon, Tooltip } from "@mantine/core";
import { t } from "../../../i18n/en/editor";
import { WithKey } from "../keys/CommandKey";
import { IconMinus, IconPlus } from "../../../theme/icons";

/** Pixels per second. */
export const ZOOMS = [12, 25, 50, 90, 160, 300];

export function Zoom({ value, onChange }: { value: number; onChange: (value: number) => void }) {
  return (
    <>
      <Tooltip label={<WithKey command="zoomOut">{t("zoomOut")}</WithKey>}>
        <ActionIcon
          size="lg"
          aria-label={t("zoomOut")}
          disabled={value === 0}
          onClick={() => onChange(value - 1)}
        >
          <IconMinus size={18} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={<WithKey command="zoomIn">{t("zoomIn")}</WithKey>}>
        <ActionIcon
          size="lg"
          aria-label={t("zoomIn")}
          disabled={value === ZOOMS.length - 1}
          onClick={() => onChange(value + 1)}
        >
          <IconPlus size={18} />
        </ActionIcon>
      </Tooltip>
    </>
  );
}
