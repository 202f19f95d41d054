import type { PlaybackCommand } from "../keymap";
import type { CommandContext, Handlers } from "./context";

const SECOND_MS = 1_000;

export function playbackCommands({
  editing,
  frameMs,
  settings,
}: CommandContext): Handlers<PlaybackCommand> {
  const { playback } = editing;
  return {
    toggle: () => playback.toggle(),
    back: () => playback.nudge(-SECOND_MS),
    forward: () => playback.nudge(SECOND_MS),
    frameBack: () => playback.nudge(-frameMs),
    frameForward: () => playback.nudge(frameMs),
    slower: () => playback.stepRate(-1),
    faster: () => playback.stepRate(1),
    rollBack: () => playback.nudge(-settings.roll_back_ms),
    playLine: () => editing.play(),
    loopLine: () => editing.play(undefined, true),
  };
}
