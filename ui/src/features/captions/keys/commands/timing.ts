import { t } from "../../../../platform/messages/editing";
import { toast } from "../../../../platform/notices/toast";
import {
  addHere,
  addSign,
  extendToNext,
  moveHere,
  nudge,
  outAndNextIn,
} from "../../timing/actions";
import { TENTH_MS } from "../../timing/nudge";
import { EXTEND_GAP_MS } from "../../timing/times";
import type { TimingCommand } from "../../../editor/keys/keymap";
import type { CommandContext, Handlers } from "./context";

export function timingCommands({
  editing,
  settings,
  changeSettings,
}: CommandContext): Handlers<TimingCommand> {
  const { cascade, snap, clock } = settings;
  const { frames } = editing.playback;
  // Whoever counts frames moves by one.
  const step = clock === "frames" && frames !== undefined ? frames.lengthMs : TENTH_MS;
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
    startBack: () => nudge(editing, "start", -step, cascade),
    startForward: () => nudge(editing, "start", step, cascade),
    endBack: () => nudge(editing, "end", -step, cascade),
    endForward: () => nudge(editing, "end", step, cascade),
    lineBack: () => nudge(editing, "body", -step, cascade),
    lineForward: () => nudge(editing, "body", step, cascade),
    edgeBack: () => nudge(editing, "edge", -step, cascade),
    edgeForward: () => nudge(editing, "edge", step, cascade),
    addHere: () => addHere(editing),
    addSign: () => addSign(editing),
    clock: () => {
      if (frames === undefined) toast("warning", t("clock.noRate"));
      else {
        changeSettings({ clock: clock === "ms" ? "frames" : "ms" });
        toast("info", t(clock === "ms" ? "clock.nowFrames" : "clock.nowMs"));
      }
    },
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
