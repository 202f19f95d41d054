import { Button, Checkbox, Popover, Text } from "@mantine/core";
import { useState } from "react";
import { t } from "../../../platform/messages/editor";
import { IconRefresh } from "../../../platform/theme/icons";

interface Props {
  /** Lines whose source changed, how many of them a person wrote, and source lines without a translation. */
  stale: number;
  edited: number;
  gaps: number;
  disabled: boolean;
  onRefresh: (includeEdited: boolean) => Promise<void>;
}

/** Translates what is out of date. When a person wrote some of those lines, it asks about them first. */
export function RefreshButton({ stale, edited, gaps, disabled, onRefresh }: Props) {
  const [asking, setAsking] = useState(false);
  const [include, setInclude] = useState(false);
  const [busy, setBusy] = useState(false);
  const run = async (includeEdited: boolean) => {
    setAsking(false);
    setBusy(true);
    await onRefresh(includeEdited);
    setBusy(false);
  };
  const own = stale - edited;
  const count = own + gaps + (include ? edited : 0);
  const words = own + gaps === 0 && edited > 0 ? t("tracks.refreshMore") : label(own, gaps);
  return (
    <Popover
      opened={asking}
      onChange={setAsking}
      trapFocus
      returnFocus
      withRoles={false}
      width={320}
      shadow="md"
      position="bottom-end"
    >
      <Popover.Target>
        <Button
          size="compact-sm"
          variant="light"
          disabled={disabled}
          loading={busy}
          leftSection={<IconRefresh size={15} />}
          aria-haspopup={edited > 0 ? "dialog" : undefined}
          aria-expanded={edited > 0 ? asking : undefined}
          onClick={() => (edited > 0 ? setAsking(!asking) : void run(false))}
          data-testid="refresh-stale"
        >
          {words}
        </Button>
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={t("tracks.refreshTitle")}>
        <Text size="sm">{t("tracks.byPeople", { count: edited })}</Text>
        <Checkbox
          mt="sm"
          size="sm"
          label={t("tracks.againToo", { count: edited })}
          checked={include}
          onChange={({ currentTarget }) => setInclude(currentTarget.checked)}
        />
        <Button
          mt="md"
          size="sm"
          fullWidth
          disabled={count === 0}
          onClick={() => void run(include)}
        >
          {count === 0 ? t("tracks.nothingElse") : t("tracks.translateLines", { count })}
        </Button>
      </Popover.Dropdown>
    </Popover>
  );
}

function label(stale: number, gaps: number): string {
  if (stale === 0) return t("tracks.translateNew", { count: gaps });
  return gaps === 0
    ? t("tracks.refreshStale", { count: stale })
    : t("tracks.refreshBoth", { stale, gaps });
}
