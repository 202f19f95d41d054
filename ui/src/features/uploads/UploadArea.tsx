import { Button, Group, Select, Text } from "@mantine/core";
import { useRef, useState, type DragEvent } from "react";
import type { Schemas } from "../../api/client";
import { useLanguages } from "../files/languages";
import { toast } from "../notifications/store";
import { UploadRow } from "./UploadRow";
import { useUploader } from "./useUploader";
import "./uploads.css";

interface Props {
  config: Schemas["PublicConfig"]["uploads"];
  defaultLanguage: string;
}

/** Choose or drop files; they go up at once in the language that is set. */
export default function UploadArea({ config, defaultLanguage }: Props) {
  const [language, setLanguage] = useState(defaultLanguage);
  const [over, setOver] = useState(false);
  const { groups } = useLanguages();
  const input = useRef<HTMLInputElement>(null);
  const { uppy, files } = useUploader(config, language);

  const add = (list: FileList | null) => {
    let failed = 0;
    for (const file of Array.from(list ?? [])) {
      try {
        uppy.addFile({ name: file.name, type: file.type, data: file, source: "local" });
      } catch (error) {
        // Restrictions have told the person already; anything else is ours.
        if (!(error instanceof Error && "isRestriction" in error)) failed += 1;
      }
    }
    if (failed > 0) toast("error", `Failed to add ${failed} file(s) due to internal errors`);
  };

  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    add(event.dataTransfer.files);
  };

  return (
    <section aria-label="Upload files">
      <div
        className={`card dropzone ${over ? "dropzone-over" : ""}`}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <svg width="46" height="46" viewBox="0 0 48 48" fill="none" aria-hidden="true">
          <path
            d="M24 32V10m0 0-9 9m9-9 9 9M8 32v5a3 3 0 0 0 3 3h26a3 3 0 0 0 3-3v-5"
            stroke="currentColor"
            strokeWidth="2.6"
            strokeLinecap="round"
            strokeLinejoin="round"
          />
        </svg>
        <div className="dropzone-text">
          <Text fw={600} size="lg">
            Drop video or audio here
          </Text>
          <Text className="quiet">
            It starts uploading at once; you can go on working meanwhile.
          </Text>
        </div>
        <Group gap="sm" align="end" justify="center">
          <Select
            label="Spoken language"
            data={groups}
            value={language}
            allowDeselect={false}
            searchable
            onChange={(value) => setLanguage(value ?? defaultLanguage)}
          />
          <Button onClick={() => input.current?.click()}>Choose files</Button>
        </Group>
        <input
          ref={input}
          type="file"
          multiple
          hidden
          aria-label="Files to upload"
          accept="audio/*,video/*,.mkv,.mts,.avi,.flac,.ogg,.opus"
          onChange={(event) => {
            add(event.currentTarget.files);
            event.currentTarget.value = "";
          }}
        />
      </div>
      {files.length > 0 && (
        <ul className="upload-list">
          {files.map((file) => (
            <UploadRow key={file.id} uppy={uppy} file={file} />
          ))}
        </ul>
      )}
    </section>
  );
}
