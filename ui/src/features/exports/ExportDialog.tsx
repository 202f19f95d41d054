import { Button, Modal, SegmentedControl, Text } from "@mantine/core";
import { useRef, useState } from "react";
import { downloadUrl, FORMATS } from "../captions/calls";
import type { MediaExport, MediaFile } from "../files/data";
import { useLanguages } from "../files/languages";
import { useSpeakers, type SpeakerStyle } from "../speakers/data";
import { SPEAKER_STYLES } from "../speakers/styles";
import { toast } from "../notifications/toast";
import { missingGlyphs, removeExport, startExport, useExports } from "./data";
import { ExportRow } from "./ExportRow";
import { MissingGlyphs } from "./MissingGlyphs";
import styles from "./exports.module.css";

const EXPORT_FAILED = "An error occurred while trying to export your video";

const MODES: { mode: MediaExport["mode"]; name: string; about: string }[] = [
  {
    mode: "burned",
    name: "Burned in",
    about: "Captions are drawn into the picture and show in every player.",
  },
  {
    mode: "soft",
    name: "Subtitle track",
    about: "Fast, and the picture stays untouched. Viewers turn captions on in their player.",
  },
];

interface Props {
  file: MediaFile;
  language: string;
  opened: boolean;
  onClose: () => void;
}

/** Export the captions as a video or as a text file. */
export default function ExportDialog({ file, language, opened, onClose }: Props) {
  const [mode, setMode] = useState<MediaExport["mode"]>("burned");
  const [busy, setBusy] = useState(false);
  const startButton = useRef<HTMLButtonElement>(null);
  const [missing, setMissing] = useState<string[]>([]);
  const { data: exports = [], error, mutate } = useExports(file.slug);
  const { label } = useLanguages();
  const { data: voices } = useSpeakers(file.slug);
  const hasSpeakers = (voices?.speakers.length ?? 0) > 0;
  const [style, setSpeakers] = useState<SpeakerStyle>("none");
  const speakers = hasSpeakers ? style : "none";

  const attempt = async (call: Promise<void>) => {
    setBusy(true);
    try {
      await call;
    } catch (problem) {
      const characters = missingGlyphs(problem);
      if (characters !== null) {
        setMissing(characters);
        return;
      }
      toast("error", `${EXPORT_FAILED}. ${(problem as Error).message}`);
    } finally {
      setBusy(false);
      await mutate();
    }
  };

  const answered = () => {
    setMissing([]);
    // The question had the focus and is now gone.
    requestAnimationFrame(() => startButton.current?.focus());
  };
  const start = (kind: MediaExport["mode"], acceptBoxes = false) => {
    if (missing.length > 0) answered();
    void attempt(startExport(file.slug, language, kind, speakers, acceptBoxes));
  };
  const close = () => {
    setMissing([]);
    onClose();
  };

  return (
    <Modal opened={opened} onClose={close} title="Export" size={620}>
      <fieldset className={styles.modes}>
        <legend className="visually-hidden">Export type</legend>
        {MODES.map((one) => (
          <label key={one.mode} className={styles.mode}>
            <input
              type="radio"
              name="mode"
              value={one.mode}
              checked={mode === one.mode}
              onChange={() => {
                setMode(one.mode);
                setMissing([]);
              }}
            />
            <strong>{one.name}</strong>
            <span>{one.about}</span>
          </label>
        ))}
      </fieldset>
      {hasSpeakers && (
        <SegmentedControl
          fullWidth
          mt="md"
          aria-label="How captions show who speaks"
          data={SPEAKER_STYLES}
          value={speakers}
          onChange={(value) => setSpeakers(value)}
        />
      )}
      {missing.length > 0 ? (
        <MissingGlyphs
          characters={missing}
          onBurn={() => start("burned", true)}
          onTrack={() => {
            setMode("soft");
            start("soft");
          }}
          onCancel={answered}
        />
      ) : (
        <Button
          ref={startButton}
          fullWidth
          size="md"
          mt="md"
          loading={busy}
          data-testid="start-export"
          onClick={() => start(mode)}
        >
          Export video in {label(language)}
        </Button>
      )}

      {error !== undefined && (
        <Text mt="md" size="sm" role="alert" className="danger-text">
          {error.message}
        </Text>
      )}
      {exports.length > 0 && (
        <ul className={styles.exports} aria-label="Exports">
          {exports.map((one) => (
            <ExportRow
              key={one.id}
              one={one}
              onRemove={() => void attempt(removeExport(file.slug, one.id))}
            />
          ))}
        </ul>
      )}

      <section className={styles.formats} aria-label="Captions as a file">
        <Text size="sm" className="quiet">
          Captions only
        </Text>
        <div>
          {FORMATS.map((format) => (
            <a
              key={format}
              href={downloadUrl({ slug: file.slug, language }, format, speakers)}
              download
            >
              {format.toUpperCase()}
            </a>
          ))}
        </div>
      </section>
    </Modal>
  );
}
