import { Button, Group, Text } from "@mantine/core";
import { t } from "../../platform/messages/exports";
import styles from "./exports.module.css";

const SHOWN = 40;

interface Props {
  characters: string[];
  onBurn: () => void;
  onTrack: () => void;
  onCancel: () => void;
}

/** Asks what to do about characters that no font on the server can draw. */
export function MissingGlyphs({ characters, onBurn, onTrack, onCancel }: Props) {
  const more = characters.length - SHOWN;
  const shown = characters.slice(0, SHOWN).join(" ");
  return (
    <section
      className={styles.missingGlyphs}
      role="alertdialog"
      aria-labelledby="missing-glyphs-title"
    >
      <Text id="missing-glyphs-title" fw={600}>
        {t("boxesTitle")}
      </Text>
      <p className={styles.missingGlyphsList} dir="auto">
        {more > 0 ? t("boxesMore", { characters: shown, more }) : shown}
      </p>
      <Text size="sm" className="quiet">
        {t("boxesAbout")}
      </Text>
      <Group mt="md" gap="sm">
        <Button autoFocus onClick={onTrack}>
          {t("boxesTrack")}
        </Button>
        <Button variant="default" onClick={onBurn}>
          {t("boxesAnyway")}
        </Button>
        <Button variant="subtle" onClick={onCancel}>
          {t("boxesCancel")}
        </Button>
      </Group>
    </section>
  );
}
