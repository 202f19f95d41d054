import { ActionIcon, Button, Title, Tooltip } from "@mantine/core";
import { memo, useCallback, useDeferredValue } from "react";
import { Link } from "react-router";
import { t as e } from "../../platform/messages/editor";
import { t as k } from "../../platform/messages/editing";
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconArrowLeft,
  IconKeyboard,
  type Icon,
} from "../../platform/theme/icons";
import { WithKey } from "../editor/keys/CommandKey";
import type { Command } from "../editor/keys/keymap";
import { Others } from "./live/Others";
import type { People } from "./live/People";
import { SaveState } from "./SaveState";
import { TransferMenu } from "./transfer/TransferMenu";
import { useView } from "../editor/useView";
import { useEditor } from "../editor/context";
import styles from "./editor.module.css";

interface Props {
  people: People | null;
  onExport: () => void;
  onShare: () => void;
  onKeys: () => void;
}

export function EditorBar({ people, onExport, onShare, onKeys }: Props) {
  const { file, editing, chosen: language, mayChange } = useEditor();
  const live = useView(editing.store, (view) => view.captions.is_live);
  const isPart = useView(editing.store, (view) => view.captions.isPart === true);
  const isTranscribing = live && !isPart;
  const locked = useView(editing.store, (view) => view.locked);
  const canUndo = useView(editing.store, (view) => view.captions.can_undo);
  const canRedo = useView(editing.store, (view) => view.captions.can_redo);

  // The lines come first: drawing the tools takes longer than drawing the rows in view.
  const hasTools = useDeferredValue(true, false);
  const undo = useCallback(() => void editing.undo(), [editing]);
  const redo = useCallback(() => void editing.redo(), [editing]);

  return (
    <div className={styles.editorBar}>
      {isTranscribing && language === undefined && (
        <i className={styles.editorLive} style={{ width: `${file.progress}%` }} />
      )}
      <div className={styles.editorTitle}>
        <Back />
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
              label={k("keymap.undo")}
              command="undo"
              disabled={live || locked || !canUndo || !mayChange}
              onClick={undo}
              icon={IconArrowBackUp}
            />
            <Tool
              label={k("keymap.redo")}
              command="redo"
              disabled={live || locked || !canRedo || !mayChange}
              onClick={redo}
              icon={IconArrowForwardUp}
            />
            <Tool label={e("shortcuts")} command="help" onClick={onKeys} icon={IconKeyboard} />
            <TransferMenu
              slug={file.slug}
              language={language}
              editing={editing}
              readOnly={live || !mayChange}
            />
            {mayChange && (
              <Button
                size="sm"
                variant="default"
                disabled={live}
                onClick={onShare}
                data-testid="open-share"
              >
                {e("share")}
              </Button>
            )}
            <Button size="sm" disabled={live} onClick={onExport} data-testid="open-export">
              {e("export")}
            </Button>
          </>
        )}
      </div>
    </div>
  );
}

const Back = memo(function Back() {
  return (
    <Tooltip label={e("backToUploads")}>
      <ActionIcon component={Link} to="/dashboard" size="lg" aria-label={e("backToUploads")}>
        <IconArrowLeft size={19} />
      </ActionIcon>
    </Tooltip>
  );
});

interface ToolProps {
  label: string;
  command?: Command;
  disabled?: boolean;
  onClick: () => void;
  icon: Icon;
}

const Tool = memo(function Tool(props: ToolProps) {
  const { label, command, disabled = false, onClick, icon: Shown } = props;
  return (
    <Tooltip label={command === undefined ? label : <WithKey command={command}>{label}</WithKey>}>
      <ActionIcon
        size="lg"
        aria-label={label}
        data-command={command}
        disabled={disabled}
        onClick={onClick}
      >
        <Shown size={19} />
      </ActionIcon>
    </Tooltip>
  );
});
