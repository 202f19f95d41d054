import { Button } from "@mantine/core";
import { useMemo, useState } from "react";
import { useNavigate, useParams } from "react-router";
import { logError } from "../../api/client";
import { EmptyState } from "../../layouts/EmptyState";
import { usePageTitle } from "../../layouts/usePageTitle";
import { isNotFound, useFile } from "../files/data";
import { toast } from "../notifications/toast";
import { Editing } from "./editing";
import { EditorView } from "./EditorView";
import { Playback } from "./player/Playback";
import { useEditorStore } from "./useEditorStore";

function cannotPlay(error: Error): void {
  void logError(error, "playback");
  toast("error", "This browser could not play the file. Reload the page to try again.");
}

export default function CaptionsPage() {
  usePageTitle("Subtitles");
  const { slug = "" } = useParams();
  return <Captions key={slug} slug={slug} />;
}

function Captions({ slug }: { slug: string }) {
  const navigate = useNavigate();
  const { data: file, error: fileError, mutate } = useFile(slug);
  const { store, error } = useEditorStore(slug);
  const [playback] = useState(() => new Playback(cannotPlay));
  const editing = useMemo(
    () => store && new Editing(store, playback, (message) => toast("warning", message)),
    [store, playback],
  );

  if (file !== undefined && editing !== undefined) {
    return <EditorView file={file} editing={editing} />;
  }
  const problem = fileError ?? error;
  if (problem === undefined) return <EmptyState />;
  return (
    <EmptyState
      loading={false}
      hero="lost"
      title={isNotFound(problem) ? problem.message : "This page could not be loaded"}
      description={
        <>
          {isNotFound(problem)
            ? "It may have been deleted, or it belongs to someone else."
            : problem.message}
          <br />
          <Button variant="subtle" mt="xs" onClick={() => void mutate()}>
            Try again
          </Button>
        </>
      }
      add={{
        label: "Go to your uploads",
        contentType: "file",
        onAdd: () => void navigate("/dashboard"),
      }}
    />
  );
}
