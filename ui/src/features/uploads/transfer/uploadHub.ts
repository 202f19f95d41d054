/** The one uploader of this browser tab. It outlives the page it started on, so that people can keep working. */
import { useSyncExternalStore } from "react";
import { mutate } from "swr";
import { keys, staleBy } from "../../../platform/api/keys";
import type { NoticeType } from "../../../platform/notices/store";
import { onSignOut } from "../../../platform/offline/atSignOut";
import { toast } from "../../../platform/notices/toast";
import { changeLanguage } from "./report";
import { SpeedMeter } from "./speed";
import {
  closeUploader,
  makeUploader,
  uploadUrl,
  type UploadConfig,
  type UploadFile,
  type Uploader,
} from "./uploader";

const DRAW_EVERY_MS = 200;

export interface UploadHub {
  uppy: Uploader;
  meter: SpeedMeter;
  /** The addresses of the uploads that ended here. */
  ended: ReadonlySet<string>;
  setLanguage: (code: string) => void;
  setDetectsSpeakers: (detects: boolean) => void;
  /** Call `listener` with each upload that becomes a file, until the returned function is called. */
  whenFile: (listener: (uploadId: string, slug: string) => void) => () => void;
}

let hub: UploadHub | undefined;
onSignOut(closeHub);

export function openHub(config: UploadConfig, defaultLanguage: string): UploadHub {
  if (hub !== undefined) return hub;
  let language = defaultLanguage;
  let detectsSpeakers = false;
  const listeners = new Set<(uploadId: string, slug: string) => void>();
  const uppy = makeUploader(config, {
    language: () => language,
    detectsSpeakers: () => detectsSpeakers,
    onChanged: () => Promise.allSettled([mutate(keys.uploads), mutate(staleBy(keys.files))]),
    onFile: (uploadId, slug) => listeners.forEach((listener) => listener(uploadId, slug)),
    onNotice: (message, type, ms) => toast(type as NoticeType, message, ms),
  });
  const meter = new SpeedMeter();
  uppy.on("upload-progress", (file, progress) => {
    if (file !== undefined) meter.begin(file.id, Number(progress.bytesUploaded) || 0);
  });
  const ended = new Set<string>();
  uppy.on("upload-success", (file, { uploadURL }) => {
    const address = uploadURL ?? uploadUrl(file);
    if (address !== undefined) ended.add(address);
  });
  uppy.on("upload-pause", (file) => file !== undefined && meter.forget(file.id));
  uppy.on("upload-error", (file) => file !== undefined && meter.forget(file.id));
  uppy.on("file-removed", (file) => meter.forget(file.id));
  window.addEventListener("beforeunload", askBeforeLeaving);
  hub = {
    uppy,
    meter,
    ended,
    setLanguage: (code) => (language = code),
    setDetectsSpeakers: (detects) => (detectsSpeakers = detects),
    whenFile: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return hub;
}

/** Other language for one file that is on its way up. */
export async function chooseLanguage(
  { uppy }: UploadHub,
  file: UploadFile,
  language: string,
): Promise<void> {
  const before = file.meta.language;
  uppy.setFileMeta(file.id, { language });
  const address = uploadUrl(file);
  // Before the server has the upload, its creation carries the language.
  if (address === undefined) return;
  try {
    await changeLanguage(address, language);
  } catch (error) {
    if (uppy.getFiles().some(({ id }) => id === file.id)) {
      uppy.setFileMeta(file.id, { language: before });
    }
    toast("error", (error as Error).message);
  } finally {
    void mutate(staleBy(keys.files));
  }
}

/** At sign-out, all uploads of the person stop; uploaded bytes stay on the server. */
function closeHub(): void {
  if (hub === undefined) return;
  closeUploader(hub.uppy);
  hub = undefined;
  window.removeEventListener("beforeunload", askBeforeLeaving);
}

export const moving = (file: UploadFile): boolean =>
  file.progress.uploadComplete !== true && !file.error && file.isPaused !== true;

function askBeforeLeaving(event: BeforeUnloadEvent): void {
  if (hub?.uppy.getFiles().some(moving) === true) event.preventDefault();
}

/** The uploader's files. Rendered at most five times a second, because twenty files report far more often. */
export function useUploadFiles({ uppy }: UploadHub): UploadFile[] {
  const files = useSyncExternalStore(
    (listener) => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const stop = uppy.store.subscribe(() => {
        timer ??= setTimeout(() => {
          timer = undefined;
          listener();
        }, DRAW_EVERY_MS);
      });
      return () => {
        stop();
        clearTimeout(timer);
      };
    },
    () => uppy.getState().files,
  );
  return Object.values(files) as UploadFile[];
}

export const addressesOf = (files: UploadFile[]): Set<string> =>
  new Set(files.map(uploadUrl).filter((url) => url !== undefined));
