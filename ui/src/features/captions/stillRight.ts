import { saveEdit } from "../../domain/captions/calls";
import { newId } from "../../domain/captions/model/commands";
import type { EditorStore } from "../../domain/captions/store/EditorStore";

/**
 * Say that a translated line is right although its source changed. For the server, saving the present text of such a
 * line confirms it. Resolves to false when unsaved changes have to wait.
 */
export async function confirmLine(store: EditorStore, slug: string, id: string): Promise<boolean> {
  if (!(await store.settled())) return false;
  const { language, lines, revision } = store.get().captions;
  const line = lines.find((one) => one.id === id);
  if (line === undefined) return false;
  const edit = { action: "Edit", line: id, content: line.text } as const;
  await saveEdit(slug, { ...edit, language, issued: revision, command: newId() });
  return true;
}
