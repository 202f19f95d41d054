import { Button, Group } from "@mantine/core";
import { useState } from "react";
import { t } from "../../platform/messages/processing";
import { toast } from "../../platform/notices/toast";
import { copyUnsaved, saveUnsaved, type Written } from "../../domain/captions/unsavedText";

interface Props {
  /** Of the file that the texts belong to. */
  name: string;
  written: readonly Written[];
  onDiscard: () => void;
}

/** What to do with texts that cannot be saved: copy or download them, or discard them after a second question. */
export function Unsaved({ name, written, onDiscard }: Props) {
  const [asks, setAsks] = useState(false);
  if (asks) {
    return (
      <Group gap="xs" role="group" aria-label={t("offline.sureToDiscard")}>
        <span>{t("offline.sureToDiscard")}</span>
        <Button size="compact-sm" color="red.9" data-testid="discard" onClick={onDiscard}>
          {t("offline.discard")}
        </Button>
        <Button size="compact-sm" variant="default" autoFocus onClick={() => setAsks(false)}>
          {t("offline.keep")}
        </Button>
      </Group>
    );
  }
  const copy = async () => {
    if (await copyUnsaved(written)) toast("success", t("offline.copied"));
    else toast("warning", t("offline.notCopied"));
  };
  return (
    <Group gap="xs">
      {written.length > 0 && (
        <>
          <Button size="compact-sm" data-testid="copy-unsaved" onClick={() => void copy()}>
            {t("offline.copy")}
          </Button>
          <Button size="compact-sm" onClick={() => saveUnsaved(name, written)}>
            {t("offline.download")}
          </Button>
        </>
      )}
      <Button
        size="compact-sm"
        variant="default"
        data-testid="discard-unsaved"
        onClick={() => setAsks(true)}
      >
        {t("offline.discard")}
      </Button>
    </Group>
  );
}
