import { t } from "../../../platform/messages/editing";
import { useSpeakers } from "../../../domain/speakers/data";
import { Colour, type FieldsProps } from "./Fields";
import styles from "./style.module.css";

/** A colour for each speaker, by name. A speaker without one has the colour of all text. */
export function SpeakerColours({ slug, style, set, disabled }: FieldsProps & { slug: string }) {
  const { data } = useSpeakers(slug);
  const speakers = data?.speakers ?? [];
  if (speakers.length === 0)
    return <p className={`${styles.wide} ${styles.about} quiet`}>{t("style.speakersNone")}</p>;
  return speakers.map((speaker) => (
    <Colour
      key={speaker.label}
      label={speaker.shown}
      placeholder={t("style.speakerDefault")}
      value={style.speaker_colours[speaker.label] ?? style.colour}
      disabled={disabled}
      onChange={(colour) => {
        const rest = Object.entries(style.speaker_colours).filter(
          ([label]) => label !== speaker.label,
        );
        // The colour of all text is no colour of one's own, so that it follows when that one changes.
        const own = colour === style.colour ? [] : [[speaker.label, colour] as const];
        set({ speaker_colours: Object.fromEntries([...rest, ...own]) });
      }}
    />
  ));
}
