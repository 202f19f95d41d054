import { useEffect, useRef, useState } from "react";
import useSWR from "swr";
import type WaveSurfer from "wavesurfer.js";
import { t } from "../../../platform/messages/editor";
import { keys } from "../../../platform/api/keys";
import { send } from "../../../platform/api/client";
import { useEditorSettings } from "../../editor/useEditorSettings";
import { showCues, type Cues } from "./cues";
import { followZoom } from "./followZoom";
import { makeWave, paint, type Peaks } from "./makeWave";
import { drawRuler, followWave } from "./ruler";
import { watchSight, type Sight } from "./sight";
import { showSpectrogram, type Spectrogram } from "./spectrogram";
import type { ZoomLevel } from "./zoomLevel";
import { useEditor } from "../../editor/context";
import styles from "./wave.module.css";

interface Props {
  level: ZoomLevel;
  scheme: string;
}

/** The waveform, from peaks made on the server, with the lines as blocks that can be moved and stretched. */
export default function Waveform({ level, scheme }: Props) {
  const { file, editing, state } = useEditor();
  const readOnly = state.kind !== "editable";
  const box = useRef<HTMLDivElement>(null);
  const ruler = useRef<HTMLCanvasElement>(null);
  const [wave, setWave] = useState<WaveSurfer>();
  const [cues, setCues] = useState<Cues>();
  const picture = useRef<HTMLCanvasElement>(null);
  const spectrogram = useRef<Spectrogram>(undefined);
  const [spectrogramError, setSpectrogramError] = useState<string>();
  const sight = useRef<() => Sight>(undefined);
  const { data: peaks, error } = useSWR<Peaks, Error>(
    file.peaks_url === null ? null : keys.peaks(file.slug),
    () => send<Peaks>("GET", file.peaks_url ?? ""),
    { revalidateOnFocus: false, revalidateIfStale: false },
  );

  const { duration_ms, media_url } = file;
  useEffect(() => {
    const canvas = ruler.current;
    if (box.current === null || canvas === null || peaks === undefined || duration_ms === null)
      return;
    const { playback } = editing;
    const made = makeWave(box.current, peaks, duration_ms / 1000, playback, level.pxPerSecond);
    const watched = watchSight(made);
    const shown = showCues(made, editing, watched, peaks.speech_ms ?? []);
    const stopRuler = followWave(canvas, made, watched);
    sight.current = watched;
    setWave(made);
    setCues(shown);
    return () => {
      shown.stop();
      stopRuler();
      made.destroy();
      setWave(undefined);
      setCues(undefined);
    };
    // The media element is a new one after its URL changes.
  }, [peaks, duration_ms, media_url, editing, level]);

  useEffect(() => {
    cues?.setReadOnly(readOnly);
  }, [cues, readOnly]);
  const { settings } = useEditorSettings();
  useEffect(() => {
    cues?.setSettings(settings);
  }, [cues, settings]);
  const spectrogramUrl = settings.show_spectrogram ? file.spectrogram_url : null;
  useEffect(() => {
    const canvas = picture.current;
    if (canvas === null || wave === undefined || sight.current === undefined) return undefined;
    if (spectrogramUrl === null) return undefined;
    const shown = showSpectrogram(canvas, wave, sight.current, spectrogramUrl, setSpectrogramError);
    spectrogram.current = shown;
    return () => {
      shown.stop();
      spectrogram.current = undefined;
      setSpectrogramError(undefined);
    };
  }, [wave, spectrogramUrl]);
  useEffect(() => {
    if (wave === undefined) return;
    paint(wave);
    spectrogram.current?.paint();
    if (ruler.current !== null && sight.current !== undefined)
      drawRuler(ruler.current, sight.current());
  }, [wave, scheme]);
  useEffect(
    () => (wave === undefined ? undefined : followZoom(wave, level, editing.playback)),
    [wave, level, editing],
  );

  if (error !== undefined) {
    return (
      <p className={`${styles.waveNote} quiet`}>{t("waveFailed", { reason: error.message })}</p>
    );
  }
  return (
    <section className={styles.wave} aria-label={t("waveform")} data-testid="waveform">
      {file.peaks_url === null ? (
        <p className={`${styles.waveNote} quiet`}>{t("waveLater")}</p>
      ) : (
        <>
          <div
            className={styles.waveBox}
            data-shows={spectrogramUrl === null ? "waveform" : "spectrogram"}
          >
            <canvas
              ref={picture}
              className={styles.waveSpectrogram}
              data-testid="spectrogram"
              hidden={spectrogramUrl === null}
              aria-hidden="true"
            />
            <div ref={box} />
          </div>
          {spectrogramError !== undefined && (
            <p className={`${styles.waveProblem} quiet`} role="status">
              {t("spectrogramFailed", { reason: spectrogramError })}
            </p>
          )}
          <canvas ref={ruler} className={styles.waveRuler} data-testid="ruler" aria-hidden="true" />
        </>
      )}
    </section>
  );
}
