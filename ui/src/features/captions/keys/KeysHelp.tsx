import { Kbd, Modal } from "@mantine/core";
import { KEYMAP, type Binding } from "./keymap";
import styles from "./keys.module.css";

const SIGNS: Record<string, string> = {
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
  Delete: "Del",
};

const GROUPS: Binding["group"][] = ["Playback", "Lines", "Editing", "Tools"];

const mac = (): boolean => /Mac|iPhone|iPad/.test(navigator.userAgent);

export function KeysHelp({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Modal opened={opened} onClose={onClose} title="Keyboard shortcuts" size={760}>
      <div className={styles.keys}>
        {GROUPS.map((group) => (
          <table key={group}>
            <caption>{group}</caption>
            <thead>
              <tr>
                <th scope="col">Action</th>
                <th scope="col">In the list</th>
                <th scope="col">While typing</th>
              </tr>
            </thead>
            <tbody>
              {KEYMAP.filter((binding) => binding.group === group).map((binding) => (
                <tr key={binding.command}>
                  <th scope="row">{binding.label}</th>
                  <td>
                    <Keys names={binding.list} />
                  </td>
                  <td>
                    <Keys names={binding.typing} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        ))}
      </div>
    </Modal>
  );
}

function Keys({ names }: { names: string[] }) {
  const name = names[0];
  if (name === undefined) return null;
  return (
    <span className={styles.keysPress}>
      {name.split(/\+(?=.)/).map((part) => (
        <Kbd key={part} size="xs">
          {part === "Ctrl" && mac() ? "⌘" : (SIGNS[part] ?? part)}
        </Kbd>
      ))}
    </span>
  );
}
