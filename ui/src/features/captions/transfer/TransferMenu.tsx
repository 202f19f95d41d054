import { ActionIcon, Loader, Menu } from "@mantine/core";
import { memo, Suspense, useMemo, useRef, useState } from "react";
import { usePublicConfig } from "../../../platform/api/publicConfig";
import { t } from "../../../platform/messages/processing";
import { IconDots, IconFileImport, IconFileText } from "../../../platform/theme/icons";
import type { Editing } from "../../editor/editing";
import { DownloadItems } from "./DownloadItems";
import { accepted } from "../../../domain/captions/forms";
import { bringBack, type Returned } from "./bringBack";
import { useImport } from "./useImport";
import styles from "./transfer.module.css";
import { part } from "../../../platform/failure/Later";

const ReadingDialog = part(() => import("./ReadingDialog"));
const OutsideReview = part(() => import("./OutsideReview"));

interface Props {
  slug: string;
  /** The language of the open translation; undefined for the original. */
  language: string | undefined;
  editing: Editing;
  readOnly: boolean;
}

/** The menu to import and download captions. Files dropped on the page are imported too. */
export const TransferMenu = memo(function TransferMenu(props: Props) {
  const { slug, language, editing, readOnly } = props;
  const track = useMemo(() => ({ slug, language }), [slug, language]);
  const input = useRef<HTMLInputElement>(null);
  const forms = usePublicConfig()?.caption_forms ?? [];
  const review = useRef<HTMLInputElement>(null);
  const [returned, setReturned] = useState<Returned>();
  const bringIn = useImport(track, editing, !readOnly);
  return (
    <>
      <Menu position="bottom-end" width={270}>
        <Menu.Target>
          <ActionIcon size="lg" aria-label={t("transfer.menu")}>
            <IconDots size={19} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown mah="80dvh" style={{ overflowY: "auto" }}>
          <Menu.Item
            disabled={readOnly || bringIn.underWay !== undefined}
            leftSection={<IconFileImport size={16} />}
            onClick={() => input.current?.click()}
          >
            {t("transfer.importSubtitles")}
          </Menu.Item>
          <Menu.Item
            disabled={readOnly}
            leftSection={<IconFileText size={16} />}
            onClick={() => review.current?.click()}
          >
            {t("transfer.bringBack")}
          </Menu.Item>
          <Menu.Divider />
          <DownloadItems track={track} editing={editing} />
        </Menu.Dropdown>
      </Menu>
      <input
        ref={input}
        type="file"
        hidden
        accept={accepted(forms)}
        aria-label={t("transfer.input")}
        data-testid="import-input"
        onChange={(event) => {
          bringIn.choose(event.currentTarget.files?.[0]);
          event.currentTarget.value = "";
        }}
      />
      <input
        ref={review}
        type="file"
        hidden
        accept=".csv,.docx,.txt"
        aria-label={t("transfer.reviewInput")}
        data-testid="review-input"
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          event.currentTarget.value = "";
          if (file !== undefined) void bringBack(track, editing, file).then(setReturned);
        }}
      />
      {returned !== undefined && (
        <Suspense fallback={null}>
          <OutsideReview
            returned={returned}
            editing={editing}
            language={language}
            onClose={() => setReturned(undefined)}
          />
        </Suspense>
      )}
      <span role="status" className={styles.importing} data-testid="importing">
        {bringIn.underWay !== undefined && (
          <>
            <Loader size={14} aria-hidden />
            <span>{t("transfer.importing", { name: bringIn.underWay })}</span>
          </>
        )}
      </span>
      {bringIn.waiting !== undefined && (
        <Suspense fallback={null}>
          <ReadingDialog
            waiting={bringIn.waiting}
            onImport={(reading) =>
              bringIn.waiting !== undefined && void bringIn.start(bringIn.waiting.file, reading)
            }
            onClose={bringIn.cancel}
          />
        </Suspense>
      )}
    </>
  );
});
