import { TextInput } from "@mantine/core";
import { useState } from "react";
import { useSWRConfig } from "swr";
import { countingOf, frameOf, timecodeOf } from "../../../domain/captions/timecode";
import type { MediaFile } from "../../../domain/files/data";
import { api, sentenceOf, unwrap } from "../../../platform/api/client";
import { keys, staleBy } from "../../../platform/api/keys";
import { t } from "../../../platform/messages/editing";
import { useEditorSettings } from "../../editor/useEditorSettings";

/** The time address of the first frame, for a film whose file does not say it, or says another. */
export function ProgrammeStart({ file, fps }: { file: MediaFile; fps: number }) {
  const { change } = useEditorSettings();
  const { mutate } = useSWRConfig();
  const [typed, setTyped] = useState<string>();
  const [problem, setProblem] = useState<string>();

  const save = async () => {
    if (typed === undefined) return;
    const counting = countingOf(fps, /[;.]/.test(typed));
    const frame = typed.trim() === "" ? undefined : frameOf(typed, counting);
    if (typed.trim() !== "" && frame === undefined) {
      setProblem(t("clock.hintFrames", { example: "10:00:00:00" }));
      return;
    }
    const start = frame === undefined ? "" : timecodeOf(frame, counting);
    try {
      const params = { path: { slug: file.slug } };
      await unwrap(api.PUT("/api/files/{slug}", { params, body: { programme_start: start } }));
      await mutate(staleBy(keys.file(file.slug)));
      // Whoever says when it starts means to count from there.
      if (start !== "") change({ from_timecode: true });
      setTyped(undefined);
      setProblem(undefined);
    } catch (error) {
      setProblem(sentenceOf(error, t("clock.startFailed")));
    }
  };

  return (
    <TextInput
      label={t("clock.start")}
      description={t("clock.startHint")}
      placeholder={file.timecode ?? "00:00:00:00"}
      value={typed ?? file.programme_start ?? ""}
      error={problem}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={() => void save()}
      onKeyDown={(event) => {
        if (event.key === "Enter") void save();
        if (event.key !== "Escape") return;
        setTyped(undefined);
        setProblem(undefined);
      }}
    />
  );
}
