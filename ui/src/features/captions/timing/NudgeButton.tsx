import { ActionIcon, Loader, Popover, Tooltip } from "@mantine/core";
import { Suspense, useState } from "react";
import { t } from "../../../platform/messages/editing";
import { IconArrowsHorizontal } from "../../../platform/theme/icons";
import type { Editing } from "../../editor/editing";
import { part } from "../../../platform/failure/Later";

const NudgePad = part(async () => ({ default: (await import("./NudgePad")).NudgePad }));

/** Beside the waveform: the moves that a drag makes, as buttons. */
export function NudgeButton(props: { editing: Editing; readOnly: boolean }) {
  const [opened, setOpened] = useState(false);
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="top-end"
      width={340}
      trapFocus
      returnFocus
      closeOnClickOutside={false}
      withinPortal
    >
      <Popover.Target>
        <Tooltip label={t("timing.nudge")}>
          <ActionIcon
            size="lg"
            aria-label={t("timing.nudge")}
            aria-expanded={opened}
            data-testid="nudge"
            onClick={() => setOpened(!opened)}
          >
            <IconArrowsHorizontal size={18} />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown aria-label={t("timing.nudge")} maw="calc(100vw - 24px)">
        {opened && (
          <Suspense fallback={<Loader size="sm" />}>
            <NudgePad {...props} />
          </Suspense>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}
