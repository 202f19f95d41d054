import { Button, Switch } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { useState } from "react";
import { usePublicConfig } from "../../platform/api/publicConfig";
import { t } from "../../platform/messages/files";
import { t as tLibrary } from "../../platform/messages/library";
import { UploadQuote } from "../ledger/UploadQuote";
import { toast } from "../../platform/notices/toast";
import { DELETE_FAILED, useNewestFiles } from "../../domain/files/data";
import LookOnly from "../../domain/teams/LookOnly";
import { useLanguages } from "../../domain/languages/languages";
import { LanguageSelect } from "../../domain/languages/LanguageSelect";
import { useDetectionLimit } from "../../domain/speakers/data";
import { useActiveTeam } from "../../domain/teams/activeTeam";
import { useMayAdd } from "../../domain/teams/workspace";
import { discardUpload, interrupted, useUploads } from "./data";
import { byLength } from "./transfer/byLength";
import { hoursOf } from "./DropText";
import { DropZone } from "./DropZone";
import { InterruptedRow } from "./InterruptedRow";
import { fetchSample } from "./sample";
import { useOpenWhenAlone } from "./useOpenWhenAlone";
import { useRemembered } from "./transfer/remembered";
import { addressesOf, openHub, useUploadFiles } from "./transfer/uploadHub";
import type { UploadConfig } from "./transfer/uploader";
import { UploadRow } from "./UploadRow";
import styles from "./uploads.module.css";

const LANGUAGE_KEY = "sagascript.language";

interface Props {
  config: UploadConfig;
  defaultLanguage: string;
}

/** Choose or drop files; they upload at once in the selected language. */
export default function UploadArea({ config, defaultLanguage }: Props) {
  const { team } = useActiveTeam();
  const mayAdd = useMayAdd();
  // Each team has its own language, and what one chooses for it is remembered for it alone.
  const key = team === undefined ? LANGUAGE_KEY : `${LANGUAGE_KEY}.${team.id}`;
  const [chosenFor, setChosen] = useState<Record<string, string>>({});
  const chosen = chosenFor[key] ?? localStorage.getItem(key);
  const { isAvailable } = useLanguages();
  // The loaded model may not support the language chosen on an earlier visit.
  const language =
    [chosen, team?.language].find((code) => code != null && isAvailable(code)) ?? defaultLanguage;
  const [detects, setDetects] = useLocalStorage({
    key: "sagascript.speakers",
    defaultValue: false,
  });
  const limit = useDetectionLimit();
  const hasPlans = usePublicConfig()?.billing != null;
  const [hub] = useState(() => openHub(config, language));
  const files = useUploadFiles(hub);
  const { data: uploads, mutate } = useUploads();
  const stopped = interrupted(uploads ?? [], addressesOf(files), hub.ended);
  const remembered = useRemembered(stopped);

  const expectOne = useOpenWhenAlone(hub);
  const [isFetching, setFetching] = useState(false);
  const hasNone = useNewestFiles().data?.meta.total === 0;

  const add = async (chosen: File[], spoken = language) => {
    const [short, long] = await byLength(chosen, config.max_duration_ms);
    for (const { name } of long) {
      toast("error", tLibrary("uploads.tooLong", { name, hours: hoursOf(config) }));
    }
    hub.setLanguage(spoken);
    hub.setDetectsSpeakers(detects);
    try {
      hub.uppy.addFiles(
        short.map((file) => ({
          name: file.name,
          type: file.type,
          data: file,
          source: "local",
          meta: { relativePath: (file as { relativePath?: string | null }).relativePath ?? null },
        })),
      );
    } catch {
      // The uploader has already shown why a file could not be added.
    }
    expectOne();
  };

  const trySample = async () => {
    setFetching(true);
    try {
      const { file, language: spoken } = await fetchSample();
      await add([file], isAvailable(spoken) ? spoken : language);
    } catch (error) {
      toast("error", (error as Error).message);
    } finally {
      setFetching(false);
    }
  };

  const discard = async (id: string) => {
    try {
      await discardUpload(id);
    } catch {
      toast("error", DELETE_FAILED);
    } finally {
      await mutate();
    }
  };

  return (
    <section aria-label={t("uploads.uploadFiles")}>
      {mayAdd ? (
        <DropZone
          config={config}
          onFiles={(chosen) => void add(chosen)}
          other={
            hasNone &&
            files.length === 0 && (
              <Button
                variant="default"
                size="sm"
                loading={isFetching}
                onClick={() => void trySample()}
                data-testid="try-sample"
              >
                {tLibrary("sample.try")}
              </Button>
            )
          }
        >
          <div className={styles.options}>
            <LanguageSelect
              label={t("uploads.spokenLanguage")}
              value={language}
              onChange={(code) => {
                setChosen({ ...chosenFor, [key]: code });
                localStorage.setItem(key, code);
              }}
            />
            <Switch
              size="sm"
              label={tLibrary("uploads.detectSpeakers")}
              description={limit}
              checked={detects}
              onChange={(event) => setDetects(event.currentTarget.checked)}
            />
          </div>
        </DropZone>
      ) : (
        <LookOnly about="uploads" />
      )}
      {hasPlans && files.length > 0 && <UploadQuote files={files} />}
      {(files.length > 0 || stopped.length > 0) && (
        <ul className={styles.uploads} aria-label={t("uploads.uploads")}>
          {files.map((file) => (
            <UploadRow key={file.id} hub={hub} file={file} />
          ))}
          {remembered !== undefined &&
            stopped.map((upload) => (
              <InterruptedRow
                key={upload.id}
                upload={upload}
                remembered={remembered}
                onDiscard={() => discard(upload.id)}
              />
            ))}
        </ul>
      )}
    </section>
  );
}
