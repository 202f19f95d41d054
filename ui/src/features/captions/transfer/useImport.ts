import { useEffect, useState } from "react";
import { useSWRConfig } from "swr";
import { keys } from "../../../platform/api/keys";
import { usePublicConfig } from "../../../platform/api/publicConfig";
import { t } from "../../../platform/messages/processing";
import { toast } from "../../../platform/notices/toast";
import {
  importSubtitles,
  USUAL_READING,
  type Reading,
  type Track,
} from "../../../domain/captions/calls";
import { unlessOpen } from "../../../domain/captions/changes";
import type { Editing } from "../../editor/editing";
import type { CaptionForm } from "../../../domain/captions/types";
import { formOfName } from "../../../domain/captions/forms";

/** A file that waits for the person to say how to read it. */
export interface Waiting {
  file: File;
  form: CaptionForm;
}

const inMegabytes = (bytes: number): number => Math.round(bytes / 100_000) / 10;

interface Import {
  waiting: Waiting | undefined;
  /** The name of the file that is being imported. */
  underWay: string | undefined;
  /** Import a file, or ask first how to read it, where its form counts frames. */
  choose: (file: File | undefined) => void;
  start: (file: File, reading: Reading) => Promise<void>;
  cancel: () => void;
}

/** Imports of subtitle files, chosen or dropped on the page. */
export function useImport(track: Track, editing: Editing, enabled: boolean): Import {
  const [waiting, setWaiting] = useState<Waiting>();
  const [underWay, setUnderWay] = useState<string>();
  const { mutate } = useSWRConfig();
  const config = usePublicConfig();
  const forms = config?.caption_forms;

  const start = async (file: File, reading: Reading) => {
    setWaiting(undefined);
    setUnderWay(file.name);
    try {
      if (!(await editing.store.settled())) {
        toast("warning", t("transfer.notSettled"));
        return;
      }
      const { notes, can_undo } = await importSubtitles(track, file, reading);
      await Promise.all([
        mutate(unlessOpen(keys.captions(track.slug, track.language))),
        mutate(keys.translations(track.slug)),
        mutate(keys.file(track.slug)),
      ]);
      toast(
        "success",
        t(can_undo ? "transfer.imported" : "transfer.importedForGood"),
        can_undo ? undefined : 12_000,
      );
      // One notice, because the page shows only a few at a time.
      if (notes.length > 0) toast("warning", notes.join(" "), 20_000);
    } catch (error) {
      toast("error", (error as Error).message);
    } finally {
      setUnderWay(undefined);
    }
  };

  const choose = (file: File | undefined) => {
    if (file === undefined || underWay !== undefined) return;
    // The server would end the connection before its sentence arrives.
    if (config !== undefined && file.size > config.caption_file_bytes_max) {
      const size = inMegabytes(file.size);
      const limit = inMegabytes(config.caption_file_bytes_max);
      toast("error", t("transfer.fileTooLarge", { name: file.name, size, limit }));
      return;
    }
    const form = formOfName(file.name, forms ?? []);
    if (form?.counts_frames === true) setWaiting({ file, form });
    else void start(file, USUAL_READING);
  };

  useEffect(() => {
    if (!enabled) return;
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
    const over = (event: DragEvent) => {
      if (hasFiles(event)) event.preventDefault();
    };
    const drop = (event: DragEvent) => {
      if (!hasFiles(event) || event.defaultPrevented) return;
      event.preventDefault();
      const dropped = event.dataTransfer?.files[0];
      if (dropped === undefined) return;
      if (formOfName(dropped.name, forms ?? []) === undefined)
        toast("warning", t("transfer.notSubtitles"));
      else choose(dropped);
    };
    window.addEventListener("dragover", over);
    window.addEventListener("drop", drop);
    return () => {
      window.removeEventListener("dragover", over);
      window.removeEventListener("drop", drop);
    };
  });

  return { waiting, underWay, choose, start, cancel: () => setWaiting(undefined) };
}
