import { describe, expect, it } from "vitest";
import { commandOf, KEYMAP, type Press } from "./keymap";

const press = (code: string, key: string, held = ""): Press => ({
  code,
  key,
  ctrlKey: held.includes("C"),
  metaKey: held.includes("Z"),
  shiftKey: held.includes("S"),
  altKey: held.includes("A"),
});

describe("the editor's keys", () => {
  it.each<[Press, "list" | "typing", string | undefined]>([
    [press("Space", " "), "list", "toggle"],
    [press("Space", " "), "typing", undefined],
    [press("Space", " ", "C"), "typing", "toggle"],
    [press("KeyM", "m"), "list", "mergeNext"],
    [press("KeyM", "M", "S"), "list", "mergePrevious"],
    [press("KeyM", "m"), "typing", undefined],
    [press("KeyM", "Â", "SA"), "typing", "mergeNext"],
    [press("KeyZ", "z", "C"), "typing", "undo"],
    [press("KeyZ", "z", "Z"), "list", "undo"],
    [press("KeyZ", "Z", "CS"), "list", "redo"],
    [press("Slash", "?", "S"), "list", "help"],
    [press("Slash", "?", "S"), "typing", undefined],
    [press("Enter", "Enter", "C"), "typing", "split"],
    [press("Enter", "Enter"), "typing", undefined],
    [press("Tab", "Tab"), "list", undefined],
    [press("KeyS", "s", "C"), "typing", "save"],
    [press("Digit2", "2"), "list", undefined],
    [press("Digit2", '"', "S"), "list", "speaker.2"],
    [press("Digit2", "™", "SA"), "typing", "speaker.2"],
  ])("%o in the %s", (event, where, command) => expect(commandOf(event, where)).toBe(command));

  it("gives no key two meanings, and takes none that a browser owns", () => {
    for (const where of ["list", "typing"] as const) {
      const all = KEYMAP.flatMap((binding) => binding[where]);
      expect(new Set(all).size).toBe(all.length);
      expect(all.filter((name) => /F11|F12|^Alt\+Arrow|Ctrl\+[NWT]$/.test(name))).toEqual([]);
    }
  });

  it("takes single letters only where nobody types", () => {
    const typing = KEYMAP.flatMap((binding) => binding.typing);
    expect(typing.filter((name) => !/Ctrl\+|Alt\+|F\d+$/.test(name))).toEqual([]);
  });
});
