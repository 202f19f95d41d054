import { ActionIcon, Tooltip } from "@mantine/core";
import { lazy, Suspense, type ReactNode } from "react";
import { t } from "../../i18n/en/aitext";
import { withSentences } from "../../i18n/loaded";
import { EmptyState } from "../../layouts/EmptyState";
import { PaneBoundary } from "../../layouts/PaneBoundary";
import { IconNotes } from "../../theme/icons";
import { WithKey } from "../captions/keys/CommandKey";
import type { Playback } from "../captions/player/Playback";
import type { MediaFile } from "../files/data";
import { usePanel } from "./usePanel";

const AiTextPanel = lazy(withSentences("others", () => import("./AiTextPanel")));

interface Props {
  file: MediaFile;
  playback: Playback;
  /** Of the captions: texts that cite them are out of date when they change. */
  revision: number;
  /** The captions, which the panel replaces while it is open. */
  children: ReactNode;
}

/** The pane beside the video: the captions, or the AI text panel. */
export function AiTextPane({ file, playback, revision, children }: Props) {
  const { isOpen, setOpen } = usePanel();
  if (!isOpen) return children;
  return (
    <PaneBoundary name={t("aiText")} at={file.slug}>
      <Suspense fallback={<EmptyState />}>
        <AiTextPanel
          file={file}
          revision={revision}
          onListen={(start, end) => playback.playSpan(start, end)}
          onClose={() => setOpen(false)}
        />
      </Suspense>
    </PaneBoundary>
  );
}

export function AiTextButton() {
  const { isOpen, setOpen } = usePanel();
  return (
    <Tooltip label={<WithKey command="aiText">{t("aiText")}</WithKey>}>
      <ActionIcon
        size="lg"
        aria-label={t("aiText")}
        aria-pressed={isOpen}
        variant={isOpen ? "light" : "subtle"}
        data-testid="open-ai-text"
        onClick={() => setOpen(!isOpen)}
      >
        <IconNotes size={19} />
      </ActionIcon>
    </Tooltip>
  );
}
