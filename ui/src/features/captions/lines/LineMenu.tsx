import { Menu } from "@mantine/core";
import type { ReactNode } from "react";
import { t } from "../../../platform/messages/editor";
import {
  IconArrowMerge,
  IconArrowsSplit,
  IconDots,
  IconLock,
  IconLockOpen,
  IconPlayerPlayFilled,
  IconPlus,
  IconTrash,
} from "../../../platform/theme/icons";
import { t as timing } from "../../../platform/messages/editing";

import type { Editing } from "../../editor/editing";
import { CommandKey } from "../../editor/keys/CommandKey";
import type { Command } from "../../editor/keys/keymap";
import type { Line } from "../../../domain/captions/types";
import { toggleLock } from "../rows/flags";
import { LookItems } from "./LookItems";
import styles from "./lines.module.css";

/** The actions on a line. Rendered only when opened, so that rows stay light. */
export function LineMenu(props: { line: Line; number: number; editing: Editing }) {
  const { line, number, editing } = props;
  const item = (
    icon: ReactNode,
    command: Command,
    run: () => void,
    text: string,
    colour?: string,
  ) => (
    <Menu.Item
      leftSection={icon}
      rightSection={<CommandKey command={command} />}
      c={colour}
      onClick={run}
    >
      {text}
    </Menu.Item>
  );
  return (
    <Menu
      opened
      position="bottom-end"
      width={270}
      onClose={() => editing.closeMenu()}
      trapFocus
      returnFocus={false}
    >
      <Menu.Target>
        <button
          type="button"
          className={styles.lineMore}
          aria-label={t("actionsFor", { number })}
          onClick={() => editing.closeMenu()}
        >
          <IconDots size={17} />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {item(
          <IconPlayerPlayFilled size={15} />,
          "playLine",
          () => editing.play(line.id),
          timing("keymap.playLine"),
        )}
        {item(
          <IconArrowsSplit size={16} />,
          "split",
          () => editing.split(line.id),
          timing("keymap.split"),
        )}
        {item(
          <IconArrowMerge size={16} />,
          "mergeNext",
          () => editing.merge(line.id, 1),
          timing("keymap.mergeNext"),
        )}
        {item(
          <IconPlus size={16} />,
          "addAbove",
          () => editing.add(line.id, "before"),
          timing("keymap.addAbove"),
        )}
        {item(
          <IconPlus size={16} />,
          "addBelow",
          () => editing.add(line.id, "after"),
          timing("keymap.addBelow"),
        )}
        {item(
          line.locked ? <IconLockOpen size={16} /> : <IconLock size={16} />,
          "lock",
          () => toggleLock(editing, line.id),
          timing(line.locked ? "timing.unlock" : "timing.lockLine"),
        )}
        <Menu.Divider />
        <LookItems line={line} editing={editing} />
        <Menu.Divider />
        {item(
          <IconTrash size={16} />,
          "remove",
          () => editing.remove(line.id),
          timing("keymap.remove"),
          "var(--danger)",
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
