/** A person's own keys: which command has a key already, and which keys cannot be taken. */
import {
  KEYMAP,
  keysOf,
  type Binding,
  type Command,
  type OwnKeys,
  type Where,
} from "../../editor/keys/keymap";

/** Keys that browsers keep for themselves, or that people need to get around. */
const RESERVED =
  /^(F11|F12|F5|Tab|Shift\+Tab|Escape|Alt\+Arrow(Left|Right)|Ctrl\+[NWTR]|Ctrl\+Shift\+[MEBNT])$/;
const MODIFIER = /^((Ctrl|Shift|Alt)\+)*(Control|Shift|Alt|Meta|AltGraph|Dead|Process)$/;

export const isModifier = (name: string): boolean => MODIFIER.test(name);

export type Problem =
  | { kind: "taken"; by: Binding }
  | { kind: "reserved" }
  /** It would write a letter into the text. */
  | { kind: "writes" };

/** Why a key cannot be given to a command; undefined if it can. */
export function problemOf(
  command: Command,
  where: Where,
  name: string,
  own: OwnKeys,
): Problem | undefined {
  if (RESERVED.test(name)) return { kind: "reserved" };
  if (where === "typing" && !/(^|\+)(Ctrl|Alt)\+|^(Shift\+)?F\d+$/.test(name))
    return { kind: "writes" };
  const by = KEYMAP.find(
    (binding) => binding.command !== command && keysOf(binding, own)[where].includes(name),
  );
  return by === undefined ? undefined : { kind: "taken", by };
}

/** The person's keys with another key for a command in one place. */
export function withKey(own: OwnKeys, binding: Binding, where: Where, name: string): OwnKeys {
  const held = keysOf(binding, own);
  const other: Where = where === "list" ? "typing" : "list";
  return {
    ...own,
    [binding.command]: [
      ...held[other].map((key) => `${other}:${key}`),
      ...(name === "" ? [] : [`${where}:${name}`]),
    ],
  };
}

/** The person's keys without those of a command, which then has the keymap's again. */
export const withoutKey = (own: OwnKeys, command: Command): OwnKeys =>
  Object.fromEntries(Object.entries(own).filter(([name]) => name !== command));

/** Commands whose name or key contains the words. */
export function matching(query: string, own: OwnKeys): Binding[] {
  const wanted = query.trim().toLowerCase();
  if (wanted === "") return KEYMAP;
  return KEYMAP.filter((binding) => {
    const { list, typing } = keysOf(binding, own);
    return [binding.label, ...list, ...typing].some((text) => text.toLowerCase().includes(wanted));
  });
}
