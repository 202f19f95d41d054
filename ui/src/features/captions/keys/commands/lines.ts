import { toggleForced, toggleLock } from "../../rows/flags";
import { passWord, rebalance, splitTo } from "../../timing/actions";
import type { LineCommand } from "../../../editor/keys/keymap";
import type { CommandContext, Handlers } from "./context";

export function lineCommands({ editing, maxRow }: CommandContext): Handlers<LineCommand> {
  return {
    previous: (typing) => void editing.step(-1, typing ? "typing" : "list"),
    next: (typing) => void editing.step(1, typing ? "typing" : "list"),
    edit: () => editing.goInto(),
    split: () => editing.split(),
    mergePrevious: () => editing.merge(undefined, -1),
    mergeNext: () => editing.merge(undefined, 1),
    addAbove: () => editing.add(undefined, "before"),
    addBelow: () => editing.add(undefined, "after"),
    remove: () => editing.remove(),
    selectUp: () => editing.extendSelection(-1),
    selectDown: () => editing.extendSelection(1),
    selectAll: () => editing.selectMany(editing.lines().map(({ id }) => id)),
    tailToNext: () => splitTo(editing, "next"),
    headToPrevious: () => splitTo(editing, "previous"),
    pullWord: () => passWord(editing, 1),
    pushWord: () => passWord(editing, -1),
    lock: () => toggleLock(editing),
    forced: () => toggleForced(editing),
    rebalance: () => rebalance(editing, maxRow()),
  };
}
