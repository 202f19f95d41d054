import type { ReactNode } from "react";
import { useEditorSettings } from "../useEditorSettings";
import { isSingleLetter, KEYMAP, keysOf, type Command } from "./keymap";
import { KeyNames } from "./KeyNames";
import styles from "./keys.module.css";

/** The key that runs a command for this person; undefined without one. */
function useKeyOf(command: Command): string | undefined {
  const { settings } = useEditorSettings();
  const binding = KEYMAP.find((one) => one.command === command);
  if (binding === undefined) return undefined;
  const { list, typing } = keysOf(binding, settings.keys);
  return [...list, ...typing].find((name) => settings.single_letters || !isSingleLetter(name));
}

/** The key of a command in a menu; nothing for a command without one. */
export function CommandKey({ command }: { command: Command }) {
  const name = useKeyOf(command);
  return name === undefined ? null : <KeyNames name={name} />;
}

/** The label of a button's tooltip with the key that does the same. */
export function WithKey({ command, children }: { command: Command; children: ReactNode }) {
  return (
    <span className={styles.withKey}>
      {children} <CommandKey command={command} />
    </span>
  );
}
