import { goToShot, playAround, playFrom } from "../../player/places";
import type { PlaybackCommand } from "../../../editor/keys/keymap";
import type { CommandContext, Handlers } from "./context";

const SECOND_MS = 1_000;
const AROUND_MS = 500;

export function playbackCommands({
  editing,
  settings,
  changeSettings,
}: CommandContext): Handlers<PlaybackCommand> {
  const { playback } = editing;
  return {
    toggle: () => playback.toggle(),
    back: () => playback.nudge(-SECOND_MS),
    forward: () => playback.nudge(SECOND_MS),
    frameBack: () => playback.stepFrames(-1),
    frameForward: () => playback.stepFrames(1),
    slower: () => playback.stepRate(-1),
    faster: () => playback.stepRate(1),
    rollBack: () => playback.nudge(-settings.roll_back_ms),
    playLine: () => editing.play(),
    loopLine: () => editing.play(undefined, true),
    playFromLine: () => playFrom(editing),
    playLast: () => playAround(editing, -AROUND_MS, 0),
    playAround: () => playAround(editing, AROUND_MS, AROUND_MS),
    nextShot: () => goToShot(editing, 1),
    previousShot: () => goToShot(editing, -1),
    mute: () => playback.setMuted(!(playback.element?.muted ?? false)),
    toggleShots: () => changeSettings({ show_shots: !settings.show_shots }),
    toggleSpeech: () => changeSettings({ show_speech: !settings.show_speech }),
    toggleSpectrogram: () => changeSettings({ show_spectrogram: !settings.show_spectrogram }),
  };
}
