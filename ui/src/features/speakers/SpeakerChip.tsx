import { Menu } from "@mantine/core";
import { useState } from "react";
import { t } from "../../i18n/en/speakers";
import { useSpeakersOfRows } from "./context";
import { NEW_SPEAKER } from "./data";
import styles from "./speakers.module.css";

interface Props {
  line: string;
  number: number;
  speaker: string | null;
  readOnly: boolean;
}

/** Who speaks a line, with a menu to change it. Nothing in files whose speakers nobody has detected. */
export function SpeakerChip({ line, number, speaker, readOnly }: Props) {
  const rows = useSpeakersOfRows();
  const [opened, setOpened] = useState(false);
  if (rows === null || rows.speakers.length === 0) return null;
  const known = rows.speakers.find(({ label }) => label === speaker);
  const name = known?.shown ?? t("nobody");
  const chip = (
    <>
      <i className={styles.dot} data-colour={known?.colour} aria-hidden="true" />
      <span className={styles.chipName}>{name}</span>
    </>
  );
  if (readOnly) {
    return <span className={styles.chip}>{chip}</span>;
  }
  const button = (
    <button
      type="button"
      className={styles.chip}
      data-testid="speaker-chip"
      aria-haspopup="menu"
      aria-expanded={opened}
      aria-label={t("lineNumberIsSpokenBy", { number, name })}
      onClick={() => setOpened(!opened)}
    >
      {chip}
    </button>
  );
  // A menu for each of 5,000 rows would be slow; only the open one is rendered.
  if (!opened) return button;
  const others = rows.speakers.filter(({ label }) => label !== speaker);
  const choose = (label: string | null, withRun: boolean) => {
    setOpened(false);
    rows.assign(line, label, withRun);
  };
  return (
    <Menu opened onClose={() => setOpened(false)} position="bottom-start" width={260} trapFocus>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t("thisLineIsSpokenBy")}</Menu.Label>
        {others.map(({ label, shown, colour }) => (
          <Menu.Item
            key={label}
            leftSection={<i className={styles.dot} data-colour={colour} aria-hidden="true" />}
            onClick={() => choose(label, false)}
          >
            {shown}
          </Menu.Item>
        ))}
        <Menu.Item onClick={() => choose(NEW_SPEAKER, false)}>{t("somebodyNew")}</Menu.Item>
        {speaker !== null && (
          <Menu.Item onClick={() => choose(null, false)}>{t("nobody")}</Menu.Item>
        )}
        <Menu.Divider />
        <Menu.Label>{t("fromHereToTheNext")}</Menu.Label>
        {others.map(({ label, shown, colour }) => (
          <Menu.Item
            key={label}
            leftSection={<i className={styles.dot} data-colour={colour} aria-hidden="true" />}
            onClick={() => choose(label, true)}
          >
            {shown}
          </Menu.Item>
        ))}
        <Menu.Item onClick={() => choose(NEW_SPEAKER, true)}>{t("somebodyNew")}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
