import { useEffect } from "react";
import { t } from "../../../platform/messages/editor";
import { offerCommands, type PageCommand } from "../../../platform/page/pageCommands";
import { KeyNames } from "../../editor/keys/KeyNames";
import { isSingleLetter, KEYMAP, keysOf, type Command } from "../../editor/keys/keymap";
import { useEditorSettings } from "../../editor/useEditorSettings";
import { PANELS } from "../panels/registry";

interface Options {
  /** Whether the command can be used now. */
  isOffered: (command: Command) => boolean;
  perform: (command: Command) => void;
  /** Undefined while nothing can be exported. */
  onExport: (() => void) | undefined;
  /** Undefined where this cannot be translated. */
  onTranslate: (() => void) | undefined;
}

/** Offer every command of the editor by its name, also those without a key. */
export function useOfferedCommands({ isOffered, perform, onExport, onTranslate }: Options): void {
  const { settings } = useEditorSettings();
  useEffect(() => {
    const named = KEYMAP.filter(({ command }) => isOffered(command)).map((binding): PageCommand => {
      const { command, label } = binding;
      const { list, typing } = keysOf(binding, settings.keys);
      const key = [...list, ...typing].find(
        (name) => settings.single_letters || !isSingleLetter(name),
      );
      return {
        id: command,
        label,
        shownKey: key === undefined ? null : <KeyNames name={key} />,
        run: () => perform(command),
      };
    });
    const withKey = new Set(named.map(({ id }) => id));
    const panels = PANELS.filter(({ id }) => !withKey.has(`panel.${id}`));
    return offerCommands([
      ...(onExport === undefined
        ? []
        : [{ id: "export", label: t("export"), shownKey: null, run: onExport }]),
      ...(onTranslate === undefined
        ? []
        : [{ id: "translate", label: t("tracks.translate"), shownKey: null, run: onTranslate }]),
      ...panels.map(({ id, label }) => ({
        id: `panel.${id}`,
        label,
        shownKey: null,
        run: () => perform(`panel.${id}`),
      })),
      ...named,
    ]);
  }, [isOffered, perform, onExport, onTranslate, settings]);
}
