import { compareReview, type OutsideReview, type Track } from "../../../domain/captions/calls";
import { t } from "../../../platform/messages/processing";
import { toast } from "../../../platform/notices/toast";
import type { Editing } from "../../editor/editing";

/** A file that came back from a reader outside, and what it would change. */
export interface Returned {
  name: string;
  review: OutsideReview;
}

/** Compare a file with the captions as they are saved. Says why that cannot be, or that nothing differs. */
export async function bringBack(
  track: Track,
  editing: Editing,
  file: File,
): Promise<Returned | undefined> {
  try {
    if (!(await editing.store.settled())) {
      toast("warning", t("transfer.notSettled"));
      return undefined;
    }
    const review = await compareReview(track, file);
    if (review.proposals.length > 0 || review.unplaced.length > 0)
      return { name: file.name, review };
    toast("success", t("transfer.reviewSame", { name: file.name }));
  } catch (error) {
    toast("error", (error as Error).message);
  }
  return undefined;
}
