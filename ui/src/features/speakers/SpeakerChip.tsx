import { Button, Menu, TextInput } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { usePublicConfig } from "../../platform/api/publicConfig";
import { t } from "../../platform/messages/speakers";
import { useSpeakersOfRows } from "./context";
import { COLOURS, NEW_SPEAKER, type Speaker } from "../../domain/speakers/data";
import styles from "./speakers.module.css";

interface Props {
  line: string;
  number: number;
  speaker: string | null;
  readOnly: boolean;
}

/** Who speaks a line, with a menu to change it, name and colour included. Files without speakers offer to add one. */
export function SpeakerChip({ line, number, speaker, readOnly }: Props) {
  const rows = useSpeakersOfRows();
  const [opened, setOpened] = useState(false);
  const trigger = useRef<HTMLButtonElement>(null);
  const wasOpened = useRef(false);
  useEffect(() => {
    // The menu takes the focus away with it.
    const isLost = wasOpened.current && !opened && document.activeElement === document.body;
    if (isLost) trigger.current?.focus();
    wasOpened.current = opened;
  }, [opened]);
  if (rows === null || (rows.speakers.length === 0 && readOnly)) return null;
  const isFirst = rows.speakers.length === 0;
  const known = rows.speakers.find(({ label }) => label === speaker);
  const name = isFirst ? t("plusSpeaker") : (known?.shown ?? t("nobody"));
  const chip = (
    <>
      {!isFirst && <i className={styles.dot} data-colour={known?.colour} aria-hidden="true" />}
      <span className={styles.chipName}>{name}</span>
    </>
  );
  if (readOnly) {
    return <span className={styles.chip}>{chip}</span>;
  }
  const button = (
    <button
      ref={trigger}
      type="button"
      className={styles.chip}
      data-testid="speaker-chip"
      data-first={isFirst || undefined}
      // The keyboard has a key for each speaker; one stop more in every line would be in its way.
      tabIndex={isFirst ? -1 : undefined}
      aria-haspopup="menu"
      aria-expanded={opened}
      aria-label={isFirst ? t("line.add", { number }) : t("line.change", { number, name })}
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
        {known !== undefined && (
          <SpeakerFields
            speaker={known}
            onRename={rows.rename}
            onRecolour={rows.recolour}
            onDone={() => setOpened(false)}
          />
        )}
        <Menu.Label>{t("line.spokenBy")}</Menu.Label>
        {others.map(({ label, shown, colour }) => (
          <Menu.Item
            key={label}
            leftSection={<i className={styles.dot} data-colour={colour} aria-hidden="true" />}
            onClick={() => choose(label, false)}
          >
            {shown}
          </Menu.Item>
        ))}
        <Menu.Item onClick={() => choose(NEW_SPEAKER, false)}>{t("plusSpeaker")}</Menu.Item>
        {speaker !== null && (
          <Menu.Item onClick={() => choose(null, false)}>{t("nobody")}</Menu.Item>
        )}
        <Menu.Divider />
        <Menu.Label>{t("line.fromHere")}</Menu.Label>
        {others.map(({ label, shown, colour }) => (
          <Menu.Item
            key={label}
            leftSection={<i className={styles.dot} data-colour={colour} aria-hidden="true" />}
            onClick={() => choose(label, true)}
          >
            {shown}
          </Menu.Item>
        ))}
        <Menu.Item onClick={() => choose(NEW_SPEAKER, true)}>{t("plusSpeaker")}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

interface FieldsProps {
  speaker: Speaker;
  onRename: (label: string, name: string) => Promise<boolean>;
  onRecolour: (label: string, colour: number) => void;
  onDone: () => void;
}

/** The name and the colour of a speaker, for all their lines. */
function SpeakerFields({ speaker, onRename, onRecolour, onDone }: FieldsProps) {
  const { label, shown, colour } = speaker;
  const [name, setName] = useState(speaker.name ?? "");
  const save = async () => {
    if (name.trim() === (speaker.name ?? "") || (await onRename(label, name.trim()))) onDone();
  };
  return (
    <div className={styles.fields}>
      <TextInput
        size="xs"
        label={t("name.label", { shown })}
        placeholder={shown}
        maxLength={usePublicConfig()?.text_limits.speaker_name}
        value={name}
        data-autofocus
        onChange={(event) => setName(event.currentTarget.value)}
        onKeyDown={(event) => {
          // Neither the menu nor the editor may take what is typed here.
          if (event.key !== "Escape" && event.key !== "Tab") event.stopPropagation();
          if (event.key === "Enter" && !event.nativeEvent.isComposing) void save();
        }}
      />
      <div className={styles.palette} role="group" aria-label={t("colour.label", { shown })}>
        {COLOURS.map((one) => (
          <button
            key={one}
            type="button"
            className={styles.swatch}
            aria-label={t("colourOne", { one: one + 1 })}
            aria-pressed={one === colour}
            onClick={() => onRecolour(label, one)}
          >
            <i className={styles.dot} data-colour={one} aria-hidden="true" />
          </button>
        ))}
      </div>
      <Button size="compact-xs" variant="light" onClick={() => void save()}>
        {t("saveName")}
      </Button>
    </div>
  );
}
