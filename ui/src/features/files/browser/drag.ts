/** A file that is dragged from one project to another. */
export const DRAGGED_FILE = "application/x-sagascript-file";

export interface DraggedFile {
  id: string;
  /** The slug of the project's tag, or that of files without one. */
  from: string;
}
