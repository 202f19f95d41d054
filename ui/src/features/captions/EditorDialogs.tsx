import { Suspense } from "react";
import { part } from "../../platform/failure/Later";
import { PaneBoundary } from "../../platform/failure/PaneBoundary";
import { t as l } from "../../platform/messages/editor";
import { useEditor } from "../editor/context";
import { useView } from "../editor/useView";
import { KeysHelp } from "./keys/KeysHelp";
import { ExportCheck } from "./quality/ExportCheck";

const ExportDialog = part(() => import("../exports/ExportDialog"));
const ReviewLinksDialog = part(() => import("../reviewLinks/ReviewLinksDialog"));

interface Props {
  /** What closes each dialog; false while it is not shown. */
  exporting: false | (() => void);
  sharing: false | (() => void);
  keys: boolean;
  onKeysClose: () => void;
}

/** What opens over the editor. */
export function EditorDialogs({ exporting, sharing, keys, onKeysClose }: Props) {
  const { file, editing, mayChange } = useEditor();
  const language = useView(editing.store, (view) => view.captions.language);
  return (
    <>
      <Suspense fallback={null}>
        {exporting && (
          <PaneBoundary name={l("panes.dialogPane")}>
            <ExportDialog
              file={file}
              language={language}
              mayChange={mayChange}
              opened
              check={(onLeave) => <ExportCheck onLeave={onLeave} />}
              onClose={() => {
                exporting();
                editing.goTo();
              }}
            />
          </PaneBoundary>
        )}
        {sharing && (
          <PaneBoundary name={l("panes.dialogPane")}>
            <ReviewLinksDialog file={file} onClose={sharing} />
          </PaneBoundary>
        )}
      </Suspense>
      <PaneBoundary name={l("panes.keysPane")}>
        <KeysHelp opened={keys} onClose={onKeysClose} />
      </PaneBoundary>
    </>
  );
}
