import { Kbd } from "@mantine/core";
import { t } from "../../../platform/messages/editing";
import styles from "./keys.module.css";

const SIGNS: Record<string, string> = {
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
  Delete: t("keys.keyDelete"),
  Space: t("keys.keySpace"),
};

const mac = (): boolean => /Mac|iPhone|iPad/.test(navigator.userAgent);

/** A key as people know it; nothing for a command without one. */
export function KeyNames({ name }: { name: string | undefined }) {
  if (name === undefined) return <span aria-hidden="true">–</span>;
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
