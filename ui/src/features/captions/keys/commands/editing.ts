import type { EditingCommand } from "../keymap";
import type { CommandContext, Handlers } from "./context";

export function editingCommands({ editing, onHelp }: CommandContext): Handlers<EditingCommand> {
  return {
    undo: () => void editing.undo(),
    redo: () => void editing.redo(),
    save: () => editing.store.flush(),
    help: onHelp,
  };
}
