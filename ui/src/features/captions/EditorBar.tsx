import { ActionIcon, Button, Menu, Title, Tooltip } from "@mantine/core";
import { useRef, type ReactNode } from "react";
import { Link } from "react-router";
import { useSWRConfig } from "swr";
import { keys } from "../../api/keys";
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconArrowLeft,
  IconDots,
  IconDownload,
  IconFileImport,
  IconKeyboard,
  IconUsers,
} from "../../theme/icons";
import { AiTextButton } from "../aitext/AiTextPane";
import type { MediaFile } from "../files/data";
import { toast } from "../notifications/toast";
import { downloadUrl, FORMATS, importSubtitles } from "./calls";
import type { Editing } from "./editing";
import { ToolsMenu } from "./panels/ToolsMenu";
import { Others } from "./live/Others";
import type { People } from "./live/People";
import { SaveState } from "./SaveState";
import { useView } from "./useEditorStore";
import styles from "./editor.module.css";

const NOT_SETTLED =
  "Your last changes are not saved yet. Wait until they are, then import the file.";

interface Props {
  file: MediaFile;
  editing: Editing;
  /** The language of the open translation; undefined for the original. */
  language: string | undefined;
  people: People | null;
  onExport: () => void;
  onSpeakers: () => void;
  onKeys: () => void;
}

const IMPORTED = "Subtitles imported. Undo brings the old ones back.";
const IMPORTED_FOR_GOOD =
  "Subtitles imported. The old captions were too large to keep, so this cannot be undone.";

export function EditorBar({
  file,
  editing,
  language,
  people,
  onExport,
  onSpeakers,
  onKeys,
}: Props) {
  const track = { slug: file.slug, language };
  const input = useRef<HTMLInputElement>(null);
  const { mutate } = useSWRConfig();
  const live = useView(editing.store, (view) => view.captions.is_live);
  const locked = useView(editing.store, (view) => view.locked);
  const canUndo = useView(editing.store, (view) => view.captions.can_undo);
  const canRedo = useView(editing.store, (view) => view.captions.can_redo);

  const bringIn = async (chosen: File | undefined) => {
    if (chosen === undefined) return;
    try {
      if (!(await editing.store.settled())) {
        toast("warning", NOT_SETTLED);
        return;
      }
      const { notes, can_undo } = await importSubtitles(track, chosen);
      const changed = [keys.captions(file.slug, language), keys.translations(file.slug)];
      await Promise.all([...changed, keys.file(file.slug)].map((key) => mutate(key)));
      toast("success", can_undo ? IMPORTED : IMPORTED_FOR_GOOD, can_undo ? undefined : 12_000);
      // One notice, because the page shows only a few at a time.
      if (notes.length > 0) toast("warning", notes.join(" "), 20_000);
    } catch (error) {
      toast("error", (error as Error).message);
    }
  };

  return (
    <div className={styles.editorBar}>
      {live && language === undefined && (
        <i className={styles.editorLive} style={{ width: `${file.progress}%` }} />
      )}
      <div className={styles.editorTitle}>
        <Tooltip label="Back to uploads">
          <ActionIcon component={Link} to="/dashboard" size="lg" aria-label="Back to uploads">
            <IconArrowLeft size={19} />
          </ActionIcon>
        </Tooltip>
        <div className={styles.editorNames}>
          <Title order={1} size="h3" lineClamp={1} title={file.name}>
            {file.name}
          </Title>
          {file.engine !== null && (
            <p className={`${styles.editorEngine} quiet`} title={file.engine_note ?? undefined}>
              Model: {file.engine}
              {file.engine_note !== null && ` · ${file.engine_note}`}
            </p>
          )}
        </div>
      </div>
      <div className={styles.editorTools}>
        <Others people={people} editing={editing} />
        {live ? (
          <span className={styles.saveState} data-testid="live-state">
            <i className={styles.saveDot} data-state="live" aria-hidden="true" />
            {language === undefined ? `Live · ${file.progress}%` : "Live"}
          </span>
        ) : (
          <SaveState editing={editing} />
        )}
        <Tool
          label="Undo"
          disabled={live || locked || !canUndo}
          onClick={() => void editing.undo()}
        >
          <IconArrowBackUp size={19} />
        </Tool>
        <Tool
          label="Redo"
          disabled={live || locked || !canRedo}
          onClick={() => void editing.redo()}
        >
          <IconArrowForwardUp size={19} />
        </Tool>
        <Tool label="Speakers" disabled={live} onClick={onSpeakers}>
          <IconUsers size={19} />
        </Tool>
        <AiTextButton />
        <ToolsMenu file={file} />
        <Tool label="Keyboard shortcuts" onClick={onKeys}>
          <IconKeyboard size={20} />
        </Tool>
        <Menu position="bottom-end" width={250}>
          <Menu.Target>
            <ActionIcon size="lg" aria-label="Import and download">
              <IconDots size={19} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item
              disabled={live}
              leftSection={<IconFileImport size={16} />}
              onClick={() => input.current?.click()}
            >
              Import subtitles
            </Menu.Item>
            <Menu.Divider />
            {FORMATS.map((format) => (
              <Menu.Item
                key={format}
                component="a"
                href={downloadUrl(track, format)}
                download
                leftSection={<IconDownload size={16} />}
              >
                Download {format.toUpperCase()}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
        <Button size="sm" disabled={live} onClick={onExport} data-testid="open-export">
          Export
        </Button>
        <input
          ref={input}
          type="file"
          hidden
          accept=".srt,.vtt,text/plain"
          aria-label="Subtitle file to import"
          data-testid="import-input"
          onChange={(event) => {
            void bringIn(event.currentTarget.files?.[0]);
            event.currentTarget.value = "";
          }}
        />
      </div>
    </div>
  );
}

interface ToolProps {
  label: string;
  disabled?: boolean;
  onClick: () => void;
  children: ReactNode;
}

function Tool({ label, disabled = false, onClick, children }: ToolProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon size="lg" aria-label={label} disabled={disabled} onClick={onClick}>
        {children}
      </ActionIcon>
    </Tooltip>
  );
}
