import {
  Anchor,
  Button,
  CloseButton,
  Divider,
  Group,
  Modal,
  Progress,
  SegmentedControl,
  Stack,
  Text,
} from "@mantine/core";
import { useState } from "react";
import type { MediaFile } from "../files/data";
import { bytes } from "../files/format";
import { useLanguages } from "../files/languages";
import { StatusBadge } from "../files/StatusBadge";
import { toast } from "../notifications/toast";
import { removeExport, startExport, useExports } from "./data";

const EXPORT_FAILED = "An error occurred while trying to export your video";
const MODES = [
  { value: "burned", label: "Burned into the picture" },
  { value: "soft", label: "Subtitle track" },
];
const ABOUT = {
  burned: "The captions become part of the picture and show in every player.",
  soft: "Quick, and the picture stays as it is: viewers turn the captions on in their player.",
};
const FORMATS = ["srt", "vtt", "txt", "json"] as const;

interface Props {
  file: MediaFile;
  language: string;
  opened: boolean;
  onClose: () => void;
}

/** Take the captions out: as a video, or as a text file. */
export default function ExportDialog({ file, language, opened, onClose }: Props) {
  const [mode, setMode] = useState<"burned" | "soft">("burned");
  const [busy, setBusy] = useState(false);
  const { data: exports, mutate } = useExports(file.slug);
  const { label } = useLanguages();

  const attempt = async (call: Promise<void>) => {
    setBusy(true);
    try {
      await call;
    } catch (error) {
      toast("error", (error as Error).message || EXPORT_FAILED);
    } finally {
      setBusy(false);
      await mutate();
    }
  };

  return (
    <Modal opened={opened} onClose={onClose} title="Export" size="lg" centered>
      <Stack gap="md">
        <SegmentedControl
          fullWidth
          data={MODES}
          value={mode}
          aria-label="Kind of export"
          onChange={(value) => setMode(value as "burned" | "soft")}
        />
        <Text size="sm" className="quiet">
          {ABOUT[mode]}
        </Text>
        <Button loading={busy} onClick={() => void attempt(startExport(file.slug, language, mode))}>
          Export the video in {label(language)}
        </Button>
        {(exports ?? []).length > 0 && <Divider label="Exports" labelPosition="left" />}
        <Stack component="ul" gap="xs" className="exports">
          {(exports ?? []).map((one) => (
            <li key={one.id} className="export" data-testid="export" data-status={one.status}>
              <div className="export-body">
                <Group gap="xs">
                  <Text fw={600}>{label(one.language)}</Text>
                  <Text size="sm" className="quiet">
                    {one.mode === "soft" ? "Subtitle track" : "Burned in"}
                    {one.size_bytes === null ? "" : ` · ${bytes(one.size_bytes)}`}
                  </Text>
                  <StatusBadge status={one.status} />
                </Group>
                {(one.status === "progressing" || one.status === "submitted") && (
                  <Progress
                    value={one.progress}
                    size="sm"
                    mt={6}
                    aria-label="Progress of the export"
                  />
                )}
                {one.error !== null && (
                  <Text size="sm" c="red" role="alert">
                    {one.error}
                  </Text>
                )}
              </div>
              {one.download_url !== null && (
                <Button
                  component="a"
                  href={one.download_url}
                  download
                  variant="light"
                  size="compact-md"
                >
                  Download
                </Button>
              )}
              <CloseButton
                aria-label="Remove this export"
                onClick={() => void attempt(removeExport(file.slug, one.id))}
              />
            </li>
          ))}
        </Stack>
        <Divider label="Captions as a file" labelPosition="left" />
        <Group gap="sm">
          {FORMATS.map((format) => (
            <Anchor
              key={format}
              href={`/api/files/captions/${file.slug}/download?format=${format}`}
              download
              className="format"
            >
              {format.toUpperCase()}
            </Anchor>
          ))}
        </Group>
      </Stack>
    </Modal>
  );
}
