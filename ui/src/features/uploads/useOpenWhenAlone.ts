import { useCallback, useEffect, useRef } from "react";
import { useNavigate } from "react-router";
import { moving, type UploadHub } from "./transfer/uploadHub";

/**
 * Whoever uploads one file and stays on the page comes to its live view once it is there. Call the returned function after
 * files were added. Several files stay a list, and nobody is taken away from a dialog or from what they type.
 */
export function useOpenWhenAlone(hub: UploadHub): () => void {
  const navigate = useNavigate();
  const alone = useRef<string>(undefined);
  useEffect(
    () =>
      hub.whenFile((uploadId, slug) => {
        if (uploadId !== alone.current || isBusy()) return;
        void navigate(`/captions/processing/${slug}`);
      }),
    [hub, navigate],
  );
  return useCallback(() => {
    const under = hub.uppy.getFiles().filter(moving);
    alone.current = under.length === 1 ? under[0]?.id : undefined;
  }, [hub]);
}

/** A list of choices counts as a button, not as a field in which one types. */
const TYPED = "textarea, input:is([type=search], [type=text]):not([aria-haspopup])";

function isBusy(): boolean {
  if (document.querySelector("[role=dialog], [role=menu]") !== null) return true;
  const field = document.activeElement;
  return field?.matches(TYPED) === true && (field as HTMLInputElement).value !== "";
}
