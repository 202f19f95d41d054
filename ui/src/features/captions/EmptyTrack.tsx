import { useEffect, useRef } from "react";
import { t } from "../../platform/messages/editor";
import { EmptyState } from "../../platform/page/EmptyState";
import type { MediaFile } from "../../domain/files/data";
import { LeftText } from "../offline/LeftText";
import styles from "./editor.module.css";

/** Instead of lines that are not there yet, or cannot be loaded. */
export function OtherTrack({
  file,
  language,
  wait,
  onOriginal,
}: {
  file: MediaFile;
  language: string | undefined;
  wait: "loading" | Error;
  onOriginal: () => void;
}) {
  return (
    <div className={styles.editorEmpty}>
      {wait === "loading" ? (
        <EmptyState />
      ) : (
        <>
          <EmptyState
            loading={false}
            hero="lost"
            title={t("noneInLanguage")}
            description={wait.message}
            add={{ label: t("showOriginal"), contentType: "captions", onAdd: onOriginal }}
          />
          <LeftText slug={file.slug} name={file.name} language={language} />
        </>
      )}
    </div>
  );
}

interface NoLinesProps {
  file: MediaFile;
  /** Lines are still being written. */
  isLive: boolean;
  readOnly: boolean;
  isTranslation: boolean;
  onAdd: () => void;
}

export function NoLines({ file, isLive, readOnly, isTranslation, onAdd }: NoLinesProps) {
  const state = emptyState(file, isLive, isTranslation);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // After the last line is deleted, nothing would have the focus.
    if (document.activeElement === document.body) box.current?.querySelector("button")?.focus();
  }, []);
  return (
    <div ref={box} className={styles.editorEmpty}>
      <EmptyState
        loading={false}
        hero={state.expects ? "listening" : "silence"}
        title={state.title}
        description={state.expects ?? (readOnly ? undefined : t("firstLine"))}
        add={readOnly ? undefined : { label: t("addLine"), contentType: "line", onAdd }}
      />
    </div>
  );
}

/** The title, and what is still expected. */
function emptyState(
  file: MediaFile,
  isLive: boolean,
  isTranslation: boolean,
): { title: string; expects?: string } {
  if (isLive && isTranslation) return { title: t("translating"), expects: t("appearTranslated") };
  if (isLive) return { title: t("transcribing"), expects: t("appearTranscribed") };
  if (isTranslation) return { title: t("noCaptions") };
  if (file.status === "live") return { title: t("recording"), expects: t("appearSpoken") };
  // Only a finished transcription shows that there is no speech.
  return { title: file.status === "completed" ? t("noSpeech") : t("noCaptions") };
}
