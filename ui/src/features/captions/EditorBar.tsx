import { ActionIcon, Button, Loader, Menu, Title, Tooltip } from "@mantine/core";
import { lazy, Suspense, useDeferredValue, useRef, type ReactNode } from "react";
import { Link } from "react-router";
import { t as e } from "../../i18n/en/editor";
import { usePublicConfig } from "../../api/publicConfig";
import { t as k } from "../../i18n/en/keymap";
import { t } from "../../i18n/en/transfer";
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconArrowLeft,
  IconDots,
  IconFileImport,
  IconKeyboard,
  IconUsers,
} from "../../theme/icons";
import { AiTextButton } from "../aitext/AiTextPane";
import type { MediaFile } from "../files/data";
import type { Editing } from "./editing";
import { WithKey } from "./keys/CommandKey";
import type { Command } from "./keys/keymap";
import { ToolsMenu } from "./panels/ToolsMenu";
import { QualityButton } from "./quality/QualityButton";
import { Others } from "./live/Others";
import type { People } from "./live/People";
import { SaveState } from "./SaveState";
import { DownloadItems } from "./transfer/DownloadItems";
import { accepted } from "./transfer/forms";
import { useImport } from "./transfer/useImport";
import { useView } from "./useEditorStore";
import transfer from "./transfer/transfer.module.css";
import styles from "./editor.module.css";

const FrameRateDialog = lazy(() => import("./transfer/FrameRateDialog"));

interface Props {
  file: MediaFile;
  editing: Editing;
  /** The language of the open translation; undefined for the original. */
  language: string | undefined;
  people: People | null;
  mayChange: boolean;
  onExport: () => void;
  onSpeakers: () => void;
  onKeys: () => void;
}

export function EditorBar({
  file,
  editing,
  language,
  people,
  mayChange,
  onExport,
  onSpeakers,
  onKeys,
}: Props) {
  const track = { slug: file.slug, language };
  const input = useRef<HTMLInputElement>(null);
  const forms = usePublicConfig()?.caption_forms ?? [];
  const live = useView(editing.store, (view) => view.captions.is_live);
  const isPart = useView(editing.store, (view) => view.captions.isPart === true);
  const isTranscribing = live && !isPart;
  const locked = useView(editing.store, (view) => view.locked);
  const canUndo = useView(editing.store, (view) => view.captions.can_undo);
  const canRedo = useView(editing.store, (view) => view.captions.can_redo);

  // The lines come first: drawing the tools takes longer than drawing the rows in view.
  const hasTools = useDeferredValue(true, false);
  const bringIn = useImport(track, editing, !live && mayChange);

  return (
    <div className={styles.editorBar}>
      {isTranscribing && language === undefined && (
        <i className={styles.editorLive} style={{ width: `${file.progress}%` }} />
      )}
      <div className={styles.editorTitle}>
        <Tooltip label={e("backToUploads")}>
          <ActionIcon component={Link} to="/dashboard" size="lg" aria-label={e("backToUploads")}>
            <IconArrowLeft size={19} />
          </ActionIcon>
        </Tooltip>
        <div className={styles.editorNames}>
          <Title order={1} size="h3" lineClamp={1} title={file.name}>
            {file.name}
          </Title>
          {file.engine !== null && (
            <p className={`${styles.editorEngine} quiet`} title={file.engine_note ?? undefined}>
              {e("model", { engine: file.engine })}
              {file.engine_note !== null && ` · ${file.engine_note}`}
            </p>
          )}
        </div>
      </div>
      <div className={styles.editorTools}>
        {hasTools && (
          <>
            <Others people={people} editing={editing} />
            {isTranscribing ? (
              <span className={styles.saveState} data-testid="live-state">
                <i className={styles.saveDot} data-state="live" aria-hidden="true" />
                {language === undefined ? e("liveAt", { progress: file.progress }) : e("live")}
              </span>
            ) : (
              <SaveState editing={editing} />
            )}
            <Tool
              label={k("undo")}
              command="undo"
              disabled={live || locked || !canUndo || !mayChange}
              onClick={() => void editing.undo()}
            >
              <IconArrowBackUp size={19} />
            </Tool>
            <Tool
              label={k("redo")}
              command="redo"
              disabled={live || locked || !canRedo || !mayChange}
              onClick={() => void editing.redo()}
            >
              <IconArrowForwardUp size={19} />
            </Tool>
            <Tool label={e("speakers")} disabled={live} onClick={onSpeakers}>
              <IconUsers size={19} />
            </Tool>
            <AiTextButton />
            <ToolsMenu file={file} />
            <QualityButton file={file} editing={editing} />
            <Tool label={e("shortcuts")} command="help" onClick={onKeys}>
              <IconKeyboard size={20} />
            </Tool>
            <Menu position="bottom-end" width={270}>
              <Menu.Target>
                <ActionIcon size="lg" aria-label={t("menu")}>
                  <IconDots size={19} />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown mah="80dvh" style={{ overflowY: "auto" }}>
                <Menu.Item
                  disabled={live || !mayChange || bringIn.underWay !== undefined}
                  leftSection={<IconFileImport size={16} />}
                  onClick={() => input.current?.click()}
                >
                  {t("importSubtitles")}
                </Menu.Item>
                <Menu.Divider />
                <DownloadItems track={track} />
              </Menu.Dropdown>
            </Menu>
            <Button size="sm" disabled={live} onClick={onExport} data-testid="open-export">
              {e("export")}
            </Button>
            <input
              ref={input}
              type="file"
              hidden
              accept={accepted(forms)}
              aria-label={t("input")}
              data-testid="import-input"
              onChange={(event) => {
                bringIn.choose(event.currentTarget.files?.[0]);
                event.currentTarget.value = "";
              }}
            />
            <span role="status" className={transfer.importing} data-testid="importing">
              {bringIn.underWay !== undefined && (
                <>
                  <Loader size={14} aria-hidden />
                  <span>{t("importing", { name: bringIn.underWay })}</span>
                </>
              )}
            </span>
            {bringIn.waiting !== undefined && (
              <Suspense fallback={null}>
                <FrameRateDialog
                  waiting={bringIn.waiting}
                  onImport={(fps) =>
                    bringIn.waiting !== undefined && void bringIn.start(bringIn.waiting.file, fps)
                  }
                  onClose={bringIn.cancel}
                />
              </Suspense>
            )}
          </>
        )}
      </div>
    </div>
  );
}

interface ToolProps {
  label: string;
  command?: Command;
  disabled?: boolean;
  onClick: () => void;
  children: ReactNode;
}

function Tool({ label, command, disabled = false, onClick, children }: ToolProps) {
  return (
    <Tooltip label={command === undefined ? label : <WithKey command={command}>{label}</WithKey>}>
      <ActionIcon
        size="lg"
        aria-label={label}
        data-command={command}
        disabled={disabled}
        onClick={onClick}
      >
        {children}
      </ActionIcon>
    </Tooltip>
  );
}
