import { Menu, SegmentedControl } from "@mantine/core";
import { useState } from "react";
import { usePublicConfig } from "../../../platform/api/publicConfig";
import { t } from "../../../platform/messages/processing";
import { IconCheck, IconDownload } from "../../../platform/theme/icons";
import { toast } from "../../../platform/notices/toast";
import type { SpeakerStyle } from "../../../domain/speakers/data";
import { SPEAKER_STYLES } from "../../../domain/speakers/styles";
import { downloadUrl, fetchLosses, type Track } from "../../../domain/captions/calls";
import type { CaptionFormat } from "../../../domain/captions/types";
import { GROUPS, isFormat } from "../../../domain/captions/forms";
import type { Editing } from "../../editor/editing";
import { useView } from "../../editor/useView";
import { countsFromTimecode, useEditorSettings } from "../../editor/useEditorSettings";
import styles from "./transfer.module.css";

/** Every form that captions can be downloaded in, and how those show who speaks. */
export function DownloadItems({ track, editing }: { track: Track; editing: Editing }) {
  const forms = usePublicConfig()?.caption_forms ?? [];
  const [speakers, setSpeakers] = useState<SpeakerStyle>("none");
  const fromTimecode = countsFromTimecode(useEditorSettings().settings);
  const hasForced = useView(editing.store, ({ captions }) =>
    captions.lines.some(({ forced }) => forced),
  );
  const [wantsForced, setWantsForced] = useState(false);
  const onlyForced = hasForced && wantsForced;
  const tell = async (format: CaptionFormat) => {
    // The download runs already; the page says only what is missing in it.
    const losses = await fetchLosses(track, format, speakers, fromTimecode, onlyForced).catch(
      () => [],
    );
    if (losses.length > 0) toast("warning", losses.join(" "), 12_000);
  };
  return (
    <>
      <Menu.Label>{t("transfer.speakers")}</Menu.Label>
      <div className={styles.speakers}>
        <SegmentedControl
          fullWidth
          size="xs"
          aria-label={t("transfer.speakers")}
          data={SPEAKER_STYLES}
          value={speakers}
          onChange={setSpeakers}
        />
      </div>
      {hasForced && (
        <Menu.CheckboxItem
          checked={wantsForced}
          checkIcon={<IconCheck size={15} />}
          closeMenuOnClick={false}
          onChange={setWantsForced}
        >
          {t("transfer.onlyForced")}
        </Menu.CheckboxItem>
      )}
      {GROUPS.map(({ group, label }) => (
        <div key={group} role="group" aria-label={label}>
          <Menu.Label>{label}</Menu.Label>
          {forms.map(({ id, group: own, label: name, suffixes }) =>
            own === group && isFormat(id) ? (
              <Menu.Item
                key={id}
                component="a"
                href={downloadUrl(track, id, speakers, fromTimecode, onlyForced)}
                download
                leftSection={<IconDownload size={16} />}
                rightSection={<span className="quiet">{suffixes[0]}</span>}
                aria-label={t("transfer.download", { form: id.toUpperCase() })}
                onClick={() => void tell(id)}
              >
                {name}
              </Menu.Item>
            ) : null,
          )}
        </div>
      ))}
    </>
  );
}
