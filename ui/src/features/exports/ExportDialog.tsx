import { Button, Checkbox, Modal, SegmentedControl, Text } from "@mantine/core";
import { useRef, useState, type ReactNode } from "react";
import { sentenceOf } from "../../platform/api/client";
import { usePublicConfig } from "../../platform/api/publicConfig";
import { t } from "../../platform/messages/exports";
import { downloadUrl } from "../../domain/captions/calls";
import { isFormat } from "../../domain/captions/forms";
import type { MediaExport, MediaFile } from "../../domain/files/data";
import { useLanguages } from "../../domain/languages/languages";
import { toast } from "../../platform/notices/toast";
import { useSpeakers } from "../../domain/speakers/data";
import { SPEAKER_STYLES } from "../../domain/speakers/styles";
import { countsFromTimecode, useEditorSettings } from "../editor/useEditorSettings";
import { lastChoice, partOf, remember, requestOf, type Choice } from "./choice";
import {
  missingGlyphs,
  openFindings,
  removeExport,
  startExport,
  useExportOptions,
  useExports,
  type ExportRequest,
  type OpenFindings,
} from "./data";
import { ExportRow } from "./ExportRow";
import { MissingGlyphs } from "./MissingGlyphs";
import { ModeField } from "./ModeField";
import { NotClean } from "./NotClean";
import { PictureFields } from "./PictureFields";
import { TrackFields } from "./TrackFields";
import styles from "./exports.module.css";

interface Props {
  file: MediaFile;
  language: string;
  /** Whether this person may change the file; others download what is there. */
  mayChange: boolean;
  opened: boolean;
  /** What the captions should be before they leave; `onLeave` closes the dialog. */
  check: (onLeave: () => void) => ReactNode;
  onClose: () => void;
}

/** Export the captions as a video, the sound alone, or the captions as a text file. */
export default function ExportDialog(props: Props) {
  const fromTimecode = countsFromTimecode(useEditorSettings().settings);
  const { file, language, mayChange, opened, check, onClose } = props;
  const [choice, setChoice] = useState(lastChoice);
  const [busy, setBusy] = useState(false);
  const startButton = useRef<HTMLButtonElement>(null);
  const forms = usePublicConfig()?.caption_forms ?? [];
  const [missing, setMissing] = useState<string[]>([]);
  const [findings, setFindings] = useState<OpenFindings | null>(null);
  const { data: exports = [], error, mutate } = useExports(file.slug);
  const { data: options, error: optionsError } = useExportOptions(file.slug);
  const { label } = useLanguages();
  const { data: voices } = useSpeakers(file.slug);
  const hasSpeakers = (voices?.speakers.length ?? 0) > 0;
  const speakers = hasSpeakers ? choice.speakers : "none";
  const problem = error ?? optionsError;

  const change = (more: Partial<Choice>) => {
    setMissing([]);
    setFindings(null);
    setChoice((now) => ({ ...now, ...more }));
  };
  const attempt = async (call: Promise<void>) => {
    setBusy(true);
    setFindings(null);
    try {
      await call;
    } catch (refused) {
      const characters = missingGlyphs(refused);
      if (characters !== null) {
        setMissing(characters);
        return;
      }
      const open = openFindings(refused);
      if (open !== null) {
        setFindings(open);
        return;
      }
      const reason = sentenceOf(refused, "");
      toast("error", reason === "" ? t("exportFailed") : `${t("exportFailed")}. ${reason}`);
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
  const start = (chosen: Choice, acceptBoxes = false) => {
    if (options === undefined) return;
    if (missing.length > 0) answered();
    remember(chosen);
    const body = requestOf({ ...chosen, speakers }, language, options, acceptBoxes);
    void attempt(startExport(file.slug, body));
  };
  const again = (one: MediaExport) => {
    const [first, ...languages] = one.languages;
    const body: ExportRequest = {
      ...one.settings,
      language: first ?? one.language,
      languages,
      mode: one.mode,
      speakers: one.speakers,
      accept_boxes: true,
      require_clean: false,
    };
    void attempt(startExport(file.slug, body));
  };
  const close = () => {
    setMissing([]);
    setFindings(null);
    onClose();
  };
  const cannotStart =
    options === undefined ||
    partOf(choice, options.duration_ms) === "wrong" ||
    (choice.mode === "audio" && (options.sounds.length === 0 || choice.sounds?.length === 0));

  const speakersField = hasSpeakers && (
    <SegmentedControl
      fullWidth
      mt="md"
      aria-label={t("speakers")}
      data={SPEAKER_STYLES}
      value={speakers}
      onChange={(value) => change({ speakers: value })}
    />
  );

  return (
    <Modal opened={opened} onClose={close} title={t("title")} size={720}>
      {mayChange ? (
        <>
          <ModeField mode={choice.mode} onChange={(mode) => change({ mode })} />
          {choice.mode !== "audio" && speakersField}
          {options !== undefined && (
            <>
              {choice.mode === "burned" && (
                <PictureFields
                  choice={choice}
                  options={options}
                  poster={file.poster_url}
                  onChange={change}
                />
              )}
              <TrackFields
                choice={choice}
                language={language}
                options={options}
                onChange={change}
              />
            </>
          )}
          {choice.mode !== "audio" && (
            <Checkbox
              mt="md"
              label={t("requireClean")}
              checked={choice.requireClean}
              onChange={(event) => change({ requireClean: event.currentTarget.checked })}
            />
          )}
          {choice.mode !== "audio" && findings === null && check(close)}
          {findings !== null && (
            <NotClean findings={findings} slug={file.slug} language={language} onLeave={close} />
          )}
          {missing.length > 0 ? (
            <MissingGlyphs
              characters={missing}
              onBurn={() => start(choice, true)}
              onTrack={() => {
                const asTrack: Choice = { ...choice, mode: "soft" };
                setChoice(asTrack);
                start(asTrack);
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
              disabled={cannotStart}
              data-testid="start-export"
              onClick={() => start(choice)}
            >
              {choice.mode === "audio"
                ? t("startSound")
                : t("start", { language: label(language) })}
            </Button>
          )}
        </>
      ) : (
        <>
          <Text size="sm" data-testid="why-no-export">
            {t("onlyEditors")}
          </Text>
          {speakersField}
        </>
      )}
      {problem !== undefined && (
        <Text mt="md" size="sm" role="alert" className="danger-text">
          {problem.message}
        </Text>
      )}
      {exports.length > 0 && (
        <ul className={styles.exports} aria-label={t("exports")}>
          {exports.map((one) => (
            <ExportRow
              key={one.id}
              one={one}
              mayChange={mayChange}
              onAgain={() => again(one)}
              onRemove={() => void attempt(removeExport(file.slug, one.id))}
            />
          ))}
        </ul>
      )}

      <section className={styles.formats} aria-label={t("captionsAsFile")}>
        <Text size="sm" className="quiet">
          {t("captionsOnly")}
        </Text>
        <div>
          {forms.map(({ id, label: name }) =>
            isFormat(id) ? (
              <a
                key={id}
                href={downloadUrl({ slug: file.slug, language }, id, speakers, fromTimecode)}
                title={name}
                download
              >
                {id.toUpperCase()}
              </a>
            ) : null,
          )}
        </div>
      </section>
    </Modal>
  );
}
