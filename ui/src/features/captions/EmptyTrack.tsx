import { useEffect, useRef } from "react";
import { t } from "../../i18n/en/editor";
import { EmptyState } from "../../layouts/EmptyState";
import type { MediaFile } from "../files/data";
import styles from "./editor.module.css";

/** Instead of lines that are not there yet, or cannot be loaded. */
export function OtherTrack({
  wait,
  onOriginal,
}: {
  wait: "loading" | Error;
  onOriginal: () => void;
}) {
  return (
    <div className={styles.editorEmpty}>
      {wait === "loading" ? (
        <EmptyState />
      ) : (
        <EmptyState
          loading={false}
          hero="lost"
          title={t("noneInLanguage")}
          description={wait.message}
          add={{ label: t("showOriginal"), contentType: "captions", onAdd: onOriginal }}
        />
      )}
    </div>
  );
}

interface NoLinesProps {
  file: MediaFile;
  readOnly: boolean;
  isTranslation: boolean;
  onAdd: () => void;
}

export function NoLines({ file, readOnly, isTranslation, onAdd }: NoLinesProps) {
  // Only a finished transcription shows that there is no speech.
  const noSpeech = file.status === "completed" && !isTranslation;
  const silence = noSpeech ? t("noSpeech") : t("noCaptions");
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // After the last line is deleted, nothing would have the focus.
    if (document.activeElement === document.body) box.current?.querySelector("button")?.focus();
  }, []);
  return (
    <div ref={box} className={styles.editorEmpty}>
      <EmptyState
        loading={false}
        hero={readOnly ? "listening" : "silence"}
        title={readOnly ? (isTranslation ? t("translating") : t("transcribing")) : silence}
        description={
          readOnly ? t(isTranslation ? "appearTranslated" : "appearTranscribed") : t("firstLine")
        }
        add={readOnly ? undefined : { label: t("addLine"), contentType: "line", onAdd }}
      />
    </div>
  );
}
