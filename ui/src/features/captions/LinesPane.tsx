import type { Line } from "../../domain/captions/types";
import { useEditor } from "../editor/context";
import { takesText } from "../editor/editorState";
import { useView } from "../editor/useView";
import { NoLines, OtherTrack } from "./EmptyTrack";
import { LineList } from "./lines/LineList";

interface Props {
  /** The lines of the original beside a translation; undefined where they are not shown or not here. */
  sources: readonly Line[] | undefined;
  onOriginal: () => void;
}

/** The lines, or why there are none. */
export function LinesPane({ sources, onOriginal }: Props) {
  const { file, editing, chosen, state } = useEditor();
  const empty = useView(editing.store, (view) => view.captions.lines.length === 0);
  if (state.kind === "other")
    return <OtherTrack file={file} language={chosen} wait={state.wait} onOriginal={onOriginal} />;
  if (empty && (sources === undefined || sources.length === 0))
    return (
      <NoLines
        file={file}
        isLive={state.kind === "live"}
        readOnly={!takesText(state)}
        isTranslation={chosen !== undefined}
        onAdd={() => editing.add(null)}
      />
    );
  return <LineList sources={sources} />;
}
