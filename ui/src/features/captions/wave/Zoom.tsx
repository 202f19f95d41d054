import { ActionIcon, Tooltip } from "@mantine/core";
import { t } from "../../../platform/messages/editor";
import { WithKey } from "../../editor/keys/CommandKey";
import { useZoom, type ZoomLevel } from "./zoomLevel";
import { IconMinus, IconPlus } from "../../../platform/theme/icons";

export function Zoom({ level }: { level: ZoomLevel }) {
  const isFarthest = useZoom(level, (at) => at.isFarthest);
  const isClosest = useZoom(level, (at) => at.isClosest);
  return (
    <>
      <Tooltip label={<WithKey command="zoomOut">{t("zoomOut")}</WithKey>}>
        <ActionIcon
          size="lg"
          aria-label={t("zoomOut")}
          disabled={isFarthest}
          onClick={() => level.step(-1)}
        >
          <IconMinus size={18} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={<WithKey command="zoomIn">{t("zoomIn")}</WithKey>}>
        <ActionIcon
          size="lg"
          aria-label={t("zoomIn")}
          disabled={isClosest}
          onClick={() => level.step(1)}
        >
          <IconPlus size={18} />
        </ActionIcon>
      </Tooltip>
    </>
  );
}
