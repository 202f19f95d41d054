import {
  Button,
  Checkbox,
  Group,
  Modal,
  SegmentedControl,
  Select,
  Stack,
  Text,
} from "@mantine/core";
import { useState } from "react";
import { usePublicConfig } from "../../platform/api/publicConfig";
import { t } from "../../platform/messages/files";
import { t as tLibrary } from "../../platform/messages/library";
import { IconDownload } from "../../platform/theme/icons";
import { GROUPS, isFormat } from "../../domain/captions/forms";
import type { CaptionFormat } from "../../domain/captions/types";
import type { SpeakerStyle } from "../../domain/speakers/data";
import { SPEAKER_STYLES } from "../../domain/speakers/styles";
import { archiveUrl } from "./browser/archive";
import type { MediaFile } from "../../domain/files/data";

/** Download the captions of several files as one ZIP file. */
export default function CaptionsDialog({
  files,
  onClose,
}: {
  files: readonly MediaFile[];
  onClose: () => void;
}) {
  const config = usePublicConfig();
  const most = config?.count_limits.archive_files ?? 0;
  const forms = config?.caption_forms ?? [];
  const [format, setFormat] = useState<CaptionFormat>("srt");
  const [speakers, setSpeakers] = useState<SpeakerStyle>("none");
  const [translations, setTranslations] = useState(false);
  const ready = files.filter(({ transcription_id }) => transcription_id !== null);
  const hasTranslations = files.some((file) =>
    file.translations.some(({ has_lines }) => has_lines),
  );
  const note = noteOn(files.length, ready.length, most);
  const isPossible = ready.length > 0 && files.length <= most;
  const url = archiveUrl(
    files.map(({ id }) => id),
    { format, speakers, translations: translations && hasTranslations },
  );
  return (
    <Modal opened onClose={onClose} title={titleOf(files.length)} centered>
      <Stack>
        <Select
          label={tLibrary("format")}
          data-testid="zip-format"
          allowDeselect={false}
          data={GROUPS.map(({ group, label }) => ({
            group: label,
            items: forms
              .filter((form) => form.group === group && isFormat(form.id))
              .map(({ id, label: name }) => ({
                value: id,
                label: `${id.toUpperCase()} · ${name}`,
              })),
          }))}
          value={format}
          onChange={(value) => {
            if (value !== null && isFormat(value)) setFormat(value);
          }}
        />
        {format !== "json" && (
          <SegmentedControl
            fullWidth
            aria-label={tLibrary("captions.speakers")}
            data={SPEAKER_STYLES}
            value={speakers}
            onChange={setSpeakers}
          />
        )}
        {hasTranslations && (
          <Checkbox
            label={tLibrary("translationsToo")}
            checked={translations}
            onChange={(event) => setTranslations(event.currentTarget.checked)}
          />
        )}
        {note !== "" && (
          <Text size="sm" className="quiet" role="status">
            {note}
          </Text>
        )}
      </Stack>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose}>
          {t("cancel")}
        </Button>
        {isPossible ? (
          <Button
            component="a"
            href={url}
            download
            data-autofocus
            leftSection={<IconDownload size={16} />}
            onClick={onClose}
          >
            {tLibrary("downloadZip")}
          </Button>
        ) : (
          <Button disabled leftSection={<IconDownload size={16} />}>
            {tLibrary("downloadZip")}
          </Button>
        )}
      </Group>
    </Modal>
  );
}

const titleOf = (count: number): string =>
  count === 1 ? tLibrary("captions.titleOne") : tLibrary("captions.title", { count });

/** What the person should know before the download. */
export function noteOn(count: number, ready: number, most: number): string {
  if (count > most) return tLibrary("captions.about", { most });
  if (ready === 0) return tLibrary("captions.none");
  const without = count - ready;
  if (without === 0) return "";
  return tLibrary("without", { without });
}
