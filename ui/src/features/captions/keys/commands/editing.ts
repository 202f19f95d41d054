import type { EditingCommand } from "../../../editor/keys/keymap";
import type { CommandContext, Handlers } from "./context";

export function editingCommands({ editing, onHelp }: CommandContext): Handlers<EditingCommand> {
  return {
    italic: () => editing.toggleStyle("italic"),
    bold: () => editing.toggleStyle("bold"),
    underline: () => editing.toggleStyle("underline"),
    undo: () => void editing.undo(),
    redo: () => void editing.redo(),
    save: () => editing.store.flush(),
    help: onHelp,
  };
}
