import type { LineCommand } from "../keymap";
import type { CommandContext, Handlers } from "./context";

export function lineCommands({ editing }: CommandContext): Handlers<LineCommand> {
  return {
    previous: (typing) => void editing.step(-1, typing ? "typing" : "list"),
    next: (typing) => void editing.step(1, typing ? "typing" : "list"),
    edit: () => editing.goInto(),
    setIn: () => editing.setEdge("start_ms"),
    setOut: () => editing.setEdge("end_ms"),
    split: () => editing.split(),
    mergePrevious: () => editing.merge(undefined, -1),
    mergeNext: () => editing.merge(undefined, 1),
    addAbove: () => editing.add(undefined, "before"),
    addBelow: () => editing.add(undefined, "after"),
    remove: () => editing.remove(),
  };
}
