import { Suspense, type ReactNode } from "react";
import { t } from "../../platform/messages/aitext";
import { EmptyState } from "../../platform/page/EmptyState";
import { PaneBoundary } from "../../platform/failure/PaneBoundary";
import type { Editing } from "../editor/editing";
import { useView } from "../editor/useView";
import type { MediaFile } from "../../domain/files/data";
import { usePanel } from "../editor/panels/usePanel";
import { part } from "../../platform/failure/Later";

const AiTextPanel = part(() => import("./AiTextPanel"));

interface Props {
  file: MediaFile;
  editing: Editing;
  /** The captions, which the panel replaces while it is open. */
  children: ReactNode;
}

/** The pane beside the video: the captions, or the AI text panel. */
export function AiTextPane({ children, ...rest }: Props) {
  return usePanel().isOpen ? <OpenPane {...rest} /> : children;
}

function OpenPane({ file, editing }: Omit<Props, "children">) {
  const { setOpen } = usePanel();
  // Texts that cite the captions are out of date when these change.
  const revision = useView(editing.store, (view) => view.captions.revision);
  const mayChange = useView(editing.store, (view) => view.captions.may_change);
  return (
    <PaneBoundary name={t("aiText")} at={file.slug}>
      <Suspense fallback={<EmptyState />}>
        <AiTextPanel
          file={file}
          revision={revision}
          mayChange={mayChange}
          onListen={(start, end) => editing.playback.playSpan(start, end)}
          onClose={() => setOpen(false)}
        />
      </Suspense>
    </PaneBoundary>
  );
}
