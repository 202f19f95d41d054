import { Tooltip } from "@mantine/core";
import { t } from "../../platform/messages/aitext";
import { clock } from "../../domain/files/format";
import { IconAlertTriangle, IconPencil } from "../../platform/theme/icons";
import { chipsOf, type Chip } from "./chips";
import type { Sentence } from "./data";
import styles from "./aitext.module.css";

export type Listen = (start_ms: number, end_ms: number) => void;

/** A sentence with its marks and the times of the captions that support it. */
export function SentenceView({ sentence, onListen }: { sentence: Sentence; onListen: Listen }) {
  return (
    <span className={styles.sentence} data-unsupported={sentence.unsupported || undefined}>
      {sentence.text}
      {sentence.unsupported && (
        <span className={styles.unsupported}>
          <IconAlertTriangle size={14} aria-hidden="true" />
          {t("mark.unsupported")}
        </span>
      )}
      {sentence.by_person && (
        <span className={styles.byPerson}>
          <IconPencil size={13} aria-hidden="true" />
          {t("mark.typed")}
        </span>
      )}
      {chipsOf(sentence.cites).map((chip) => (
        <TimeChip key={chip.id} chip={chip} onListen={onListen} />
      ))}{" "}
    </span>
  );
}

function TimeChip({ chip, onListen }: { chip: Chip; onListen: Listen }) {
  const said = chip.lines.map(({ text }) => text).join(" ");
  return (
    <Tooltip
      label={said}
      multiline
      maw={340}
      openDelay={200}
      events={{ hover: true, focus: true, touch: false }}
    >
      <button
        type="button"
        className={`${styles.chip} tabular`}
        data-changed={chip.changed || undefined}
        data-start={chip.start_ms}
        aria-label={t("cite.play", { startMs: clock(chip.start_ms), said })}
        onClick={() => onListen(chip.start_ms, chip.end_ms)}
      >
        {clock(chip.start_ms)}
      </button>
    </Tooltip>
  );
}
