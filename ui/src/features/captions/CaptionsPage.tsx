import { Button } from "@mantine/core";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useNavigate, useParams, useSearchParams } from "react-router";
import { SWRConfig } from "swr";
import { t } from "../../platform/messages/editor";
import { logError } from "../../platform/api/client";
import { usePublicConfig } from "../../platform/api/publicConfig";
import { EmptyState } from "../../platform/page/EmptyState";
import { usePageTitle } from "../../platform/page/usePageTitle";
import { isNotFound, useFile } from "../../domain/files/data";
import { toast } from "../../platform/notices/toast";
import { LeftText } from "../offline/LeftText";
import { lastAnswers } from "../../domain/offline/lastAnswers";
import { Editing } from "../editor/editing";
import { EditorView } from "./EditorView";
import { lastPlace } from "./player/lastPlace";
import { useLastPlace } from "./player/useLastPlace";
import { Playback } from "../editor/playback/Playback";
import type { EditorStore } from "../../domain/captions/store/EditorStore";
import { AT, LANGUAGE, LINE } from "../../domain/captions/trackPath";
import { useCaptions } from "../editor/track/useCaptions";
import { useEditorTrack } from "../editor/track/useEditorTrack";

function cannotPlay(error: Error): void {
  void logError(error, "playback");
  toast("error", t("cannotPlay"));
}

export default function CaptionsPage() {
  usePageTitle(t("pageTitle"));
  const { slug = "" } = useParams();
  return (
    <SWRConfig value={{ use: [lastAnswers] }}>
      <Captions key={slug} slug={slug} />
    </SWRConfig>
  );
}

/** Whoever has the editor open learns there that the file went away, and goes on when it is back. */
function useReturnOfFile(store: EditorStore | undefined, isGone: boolean): void {
  const wasGone = useRef(false);
  useEffect(() => {
    if (store === undefined || isGone === wasGone.current) return;
    wasGone.current = isGone;
    store.check();
  }, [store, isGone]);
}

function Captions({ slug }: { slug: string }) {
  const navigate = useNavigate();
  const [params, setParams] = useSearchParams();
  const { data: file, error: fileError, mutate } = useFile(slug);
  // Limits and the editor's own settings are in it.
  const hasConfig = usePublicConfig() !== undefined;
  const named = params.get(LANGUAGE) ?? undefined;
  const language = named === file?.language ? undefined : named;
  const { error: missing } = useCaptions({ slug, language });
  // Where a language has no captions, the page shows why, and the original's player and bar stay usable.
  const isMissing = language !== undefined && missing !== undefined;
  // A link to a line, as search results have: go there once its captions are open, then forget it.
  const line = params.get(LINE);
  const [opensAt] = useState(() =>
    line === null ? (lastPlace(slug)?.ms ?? 0) : Number.POSITIVE_INFINITY,
  );
  const track = useEditorTrack({ slug, language: isMissing ? undefined : language }, opensAt);
  const store = "store" in track ? track.store : undefined;
  const error = "error" in track ? track.error : undefined;
  const isPart = track.kind === "part";
  const isOpen = track.kind === "open" || isPart;
  useReturnOfFile(store, fileError !== undefined && isNotFound(fileError));
  const [playback] = useState(() => new Playback(cannotPlay));
  const editing = useMemo(
    () => store && new Editing(store, playback, (message) => toast("warning", message)),
    [store, playback],
  );
  useLastPlace(slug, isPart ? undefined : editing, line !== null);
  useEffect(() => {
    if (line === null || editing === undefined || !isOpen || isMissing) return;
    const at = Number(params.get(AT));
    if (Number.isFinite(at)) playback.seek(at);
    editing.goTo(line);
    setParams(
      (held) => {
        const changed = new URLSearchParams(held);
        changed.delete(LINE);
        changed.delete(AT);
        return changed;
      },
      { replace: true },
    );
  }, [line, editing, isOpen, isMissing, params, playback, setParams]);
  const show = useCallback(
    (next: string | undefined) =>
      setParams(
        (held) => {
          const changed = new URLSearchParams(held);
          if (next === undefined) changed.delete(LANGUAGE);
          else changed.set(LANGUAGE, next);
          return changed;
        },
        { replace: true },
      ),
    [setParams],
  );

  if (
    hasConfig &&
    file !== undefined &&
    editing !== undefined &&
    !(isPart && error !== undefined)
  ) {
    const wait = isMissing ? missing : isOpen ? null : (error ?? "loading");
    return (
      <EditorView file={file} editing={editing} language={language} wait={wait} onLanguage={show} />
    );
  }
  const problem = fileError ?? error;
  const heading = <h1 className="visually-hidden">{file?.name ?? t("pageTitle")}</h1>;
  if (problem === undefined) {
    return (
      <>
        {heading}
        <EmptyState />
      </>
    );
  }
  return (
    <>
      {heading}
      <EmptyState
        loading={false}
        hero="lost"
        title={isNotFound(problem) ? problem.message : t("pageFailed")}
        description={
          <>
            {isNotFound(problem) ? t("fileGone") : problem.message}
            <br />
            <Button variant="subtle" mt="xs" onClick={() => void mutate()}>
              {t("tryAgain")}
            </Button>
          </>
        }
        add={{
          label: t("toFiles"),
          contentType: "file",
          onAdd: () => void navigate("/dashboard"),
        }}
      />
      {isNotFound(problem) && <LeftText slug={slug} name={slug} language={undefined} />}
    </>
  );
}
