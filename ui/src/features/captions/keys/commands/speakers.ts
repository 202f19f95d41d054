import { SPEAKER_COMMANDS, type SpeakerCommand } from "../../../editor/keys/keymap";
import type { CommandContext, Handlers } from "./context";

/** The nth speaker of the file speaks the selected lines. */
export function speakerCommands({ editing, speakers }: CommandContext): Handlers<SpeakerCommand> {
  const handlers = {} as Handlers<SpeakerCommand>;
  SPEAKER_COMMANDS.forEach((command, index) => {
    handlers[command] = () =>
      speakers.assignNumber(
        editing.selection().map(({ id }) => id),
        index + 1,
      );
  });
  return handlers;
}
