import { t } from "../../../../i18n/en/timing";
import { toast } from "../../../notifications/toast";
import { extendToNext, moveHere, nudge, outAndNextIn } from "../../timing/actions";
import { EXTEND_GAP_MS } from "../../timing/times";
import type { TimingCommand } from "../keymap";
import type { CommandContext, Handlers } from "./context";

const NUDGE_MS = 100;

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
    startBack: () => nudge(editing, "start", -NUDGE_MS, cascade),
    startForward: () => nudge(editing, "start", NUDGE_MS, cascade),
    endBack: () => nudge(editing, "end", -NUDGE_MS, cascade),
    endForward: () => nudge(editing, "end", NUDGE_MS, cascade),
    lineBack: () => nudge(editing, "body", -NUDGE_MS, cascade),
    lineForward: () => nudge(editing, "body", NUDGE_MS, cascade),
    snap: () => {
      changeSettings({ snap: !snap });
      toast("info", t(snap ? "snapOff" : "snapOn"));
    },
    cascade: () => {
      changeSettings({ cascade: !cascade });
      toast("info", t(cascade ? "cascadeOff" : "cascadeOn"));
    },
  };
}
