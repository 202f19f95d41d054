import { t } from "../../../../platform/messages/editing";
import { toast } from "../../../../platform/notices/toast";
import { addHere, extendToNext, moveHere, nudge, outAndNextIn } from "../../timing/actions";
import { TENTH_MS } from "../../timing/nudge";
import { EXTEND_GAP_MS } from "../../timing/times";
import type { TimingCommand } from "../../../editor/keys/keymap";
import type { CommandContext, Handlers } from "./context";

export function timingCommands({
  editing,
  settings,
  changeSettings,
}: CommandContext): Handlers<TimingCommand> {
  const { cascade, snap } = settings;
  return {
    setIn: () => editing.setEdge("start_ms"),
    setOut: () => editing.setEdge("end_ms"),
    setInNext: () => {
      editing.setEdge("start_ms");
      editing.selectBeside(1);
    },
    setOutNext: () => {
      editing.setEdge("end_ms");
      editing.selectBeside(1);
    },
    outAndNextIn: () => outAndNextIn(editing, EXTEND_GAP_MS),
    moveHere: () => moveHere(editing, cascade),
    extendToNext: () => extendToNext(editing, EXTEND_GAP_MS),
    startBack: () => nudge(editing, "start", -TENTH_MS, cascade),
    startForward: () => nudge(editing, "start", TENTH_MS, cascade),
    endBack: () => nudge(editing, "end", -TENTH_MS, cascade),
    endForward: () => nudge(editing, "end", TENTH_MS, cascade),
    lineBack: () => nudge(editing, "body", -TENTH_MS, cascade),
    lineForward: () => nudge(editing, "body", TENTH_MS, cascade),
    edgeBack: () => nudge(editing, "edge", -TENTH_MS, cascade),
    edgeForward: () => nudge(editing, "edge", TENTH_MS, cascade),
    addHere: () => addHere(editing),
    snap: () => {
      changeSettings({ snap: !snap });
      toast("info", t(snap ? "timing.snapOff" : "timing.snapOn"));
    },
    cascade: () => {
      changeSettings({ cascade: !cascade });
      toast("info", t(cascade ? "timing.cascadeOff" : "timing.cascadeOn"));
    },
  };
}
