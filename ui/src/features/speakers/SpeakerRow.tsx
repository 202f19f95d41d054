import { ActionIcon, Button, Menu, TextInput, Tooltip } from "@mantine/core";
import { useState, type KeyboardEvent } from "react";
import { usePublicConfig } from "../../platform/api/publicConfig";
import { t } from "../../platform/messages/speakers";
import { IconArrowMerge, IconDots, IconPlayerPlayFilled } from "../../platform/theme/icons";
import { COLOURS, type Speaker, type SpeakerActions } from "../../domain/speakers/data";
import { spokenTime } from "./runs";
import styles from "./speakers.module.css";

interface Props {
  speaker: Speaker;
  others: readonly Speaker[];
  actions: SpeakerActions;
  readOnly: boolean;
  /** Whether this person may change the file at all. */
  mayChange: boolean;
  onPlay: (speaker: Speaker) => void;
  /** The person gave a name that another speaker has. */
  onSameName: (label: string, into: string) => void;
}

/** One speaker: colour, name, voice sample, and what can be done. */
export function SpeakerRow(props: Props) {
  const { speaker, others, actions, readOnly, mayChange, onPlay, onSameName } = props;
  const { label, shown, colour, lines, spoken_ms, sample, suggestion } = speaker;
  const nameMax = usePublicConfig()?.text_limits.speaker_name;
  const [name, setName] = useState<string | null>(null);
  const give = async (written: string) => {
    const taken = await actions.rename(label, written);
    if (taken !== null) onSameName(label, taken);
  };
  const save = async () => {
    if (name === null) return;
    const written = name.trim();
    setName(null);
    if (written === (speaker.name ?? "")) return;
    await give(written);
  };
  const keys = (event: KeyboardEvent<HTMLInputElement>) => {
    // The editor's shortcuts must not see what is typed here.
    event.stopPropagation();
    if (event.key === "Enter") event.currentTarget.blur();
    if (event.key === "Escape") setName(null);
  };
  return (
    <li className={styles.speaker} data-testid="speaker">
      {mayChange ? (
        <Menu position="bottom-start" disabled={readOnly}>
          <Menu.Target>
            <button
              type="button"
              className={styles.swatch}
              aria-label={t("colour.label", { shown })}
            >
              <i className={styles.dot} data-colour={colour} aria-hidden="true" />
            </button>
          </Menu.Target>
          <Menu.Dropdown>
            <div className={styles.palette}>
              {COLOURS.map((one) => (
                <Menu.Item
                  key={one}
                  aria-label={t("colourOne", { one: one + 1 })}
                  onClick={() => void actions.recolour(label, one)}
                >
                  <i className={styles.dot} data-colour={one} aria-hidden="true" />
                </Menu.Item>
              ))}
            </div>
          </Menu.Dropdown>
        </Menu>
      ) : (
        <i className={styles.dot} data-colour={colour} aria-hidden="true" />
      )}
      <div className={styles.speakerMain}>
        {mayChange ? (
          <TextInput
            size="xs"
            aria-label={t("name.label", { shown })}
            placeholder={shown}
            maxLength={nameMax}
            readOnly={readOnly}
            value={name ?? speaker.name ?? ""}
            onChange={(event) => setName(event.currentTarget.value)}
            onBlur={() => void save()}
            onKeyDown={keys}
          />
        ) : (
          <strong>{shown}</strong>
        )}
        <p className={`${styles.facts} quiet tabular`}>
          {t("lines", { lines })} · {spokenTime(spoken_ms)}
        </p>
        {mayChange && suggestion !== null && (
          <div className={styles.suggestion} role="group" aria-label={t("voice.who", { shown })}>
            <span>
              {t("voice.alike", { name: suggestion.name, similarity: suggestion.similarity })}
            </span>
            <span className={styles.answers}>
              <Button
                size="compact-xs"
                disabled={readOnly}
                onClick={() => void give(suggestion.name)}
              >
                {t("voice.yes")}
              </Button>
              <Button
                size="compact-xs"
                variant="default"
                disabled={readOnly}
                onClick={() => void actions.dismissVoice(label)}
              >
                {t("voice.no")}
              </Button>
            </span>
          </div>
        )}
      </div>
      <Tooltip label={sample === null ? t("voice.none") : t("voice.play")}>
        <ActionIcon
          size="lg"
          aria-label={t("voice.playOf", { shown })}
          disabled={sample === null}
          onClick={() => onPlay(speaker)}
        >
          <IconPlayerPlayFilled size={15} />
        </ActionIcon>
      </Tooltip>
      {mayChange && (
        <Menu position="bottom-end" width={240} disabled={readOnly || others.length === 0}>
          <Menu.Target>
            <ActionIcon
              size="lg"
              aria-label={t("actions.label", { shown })}
              disabled={readOnly || others.length === 0}
            >
              <IconDots size={17} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Label>{t("mergeInto")}</Menu.Label>
            {others.map((other) => (
              <Menu.Item
                key={other.label}
                leftSection={<IconArrowMerge size={15} />}
                onClick={() => void actions.merge(label, other.label)}
              >
                {other.shown}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </li>
  );
}
