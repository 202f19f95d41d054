import { Menu, SegmentedControl } from "@mantine/core";
import { useState } from "react";
import { usePublicConfig } from "../../../api/publicConfig";
import { t } from "../../../i18n/en/transfer";
import { IconDownload } from "../../../theme/icons";
import { toast } from "../../notifications/toast";
import type { SpeakerStyle } from "../../speakers/data";
import { SPEAKER_STYLES } from "../../speakers/styles";
import { downloadUrl, fetchLosses, type Track } from "../calls";
import type { CaptionFormat } from "../types";
import { GROUPS, isFormat } from "./forms";
import styles from "./transfer.module.css";

/** Every form that captions can be downloaded in, and how those show who speaks. */
export function DownloadItems({ track }: { track: Track }) {
  const forms = usePublicConfig()?.caption_forms ?? [];
  const [speakers, setSpeakers] = useState<SpeakerStyle>("none");
  const tell = async (format: CaptionFormat) => {
    // The download runs already; the page says only what is missing in it.
    const losses = await fetchLosses(track, format, speakers).catch(() => []);
    if (losses.length > 0) toast("warning", losses.join(" "), 12_000);
  };
  return (
    <>
      <Menu.Label>{t("speakers")}</Menu.Label>
      <div className={styles.speakers}>
        <SegmentedControl
          fullWidth
          size="xs"
          aria-label={t("speakers")}
          data={SPEAKER_STYLES}
          value={speakers}
          onChange={setSpeakers}
        />
      </div>
      {GROUPS.map(({ group, label }) => (
        <div key={group} role="group" aria-label={label}>
          <Menu.Label>{label}</Menu.Label>
          {forms.map(({ id, group: own, label: name, suffixes }) =>
            own === group && isFormat(id) ? (
              <Menu.Item
                key={id}
                component="a"
                href={downloadUrl(track, id, speakers)}
                download
                leftSection={<IconDownload size={16} />}
                rightSection={<span className="quiet">{suffixes[0]}</span>}
                aria-label={t("download", { form: id.toUpperCase() })}
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
