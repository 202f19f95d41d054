import { Button, Group, Text } from "@mantine/core";
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
  return (
    <section
      className={styles.missingGlyphs}
      role="alertdialog"
      aria-labelledby="missing-glyphs-title"
    >
      <Text id="missing-glyphs-title" fw={600}>
        These characters will show as boxes
      </Text>
      <p className={styles.missingGlyphsList} dir="auto">
        {characters.slice(0, SHOWN).join(" ")}
        {more > 0 && ` and ${more} more`}
      </p>
      <Text size="sm" className="quiet">
        No font on the server can draw them. With a subtitle track, the viewer’s player draws them
        with its own fonts.
      </Text>
      <Group mt="md" gap="sm">
        <Button autoFocus onClick={onTrack}>
          Export as a subtitle track
        </Button>
        <Button variant="default" onClick={onBurn}>
          Export anyway
        </Button>
        <Button variant="subtle" onClick={onCancel}>
          Cancel
        </Button>
      </Group>
    </section>
  );
}
