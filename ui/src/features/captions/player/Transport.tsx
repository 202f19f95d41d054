import { ActionIcon, Menu, Tooltip, UnstyledButton } from "@mantine/core";
import { memo, type ReactNode } from "react";
import { t } from "../../../platform/messages/editor";
import { clock } from "../../../domain/files/format";
import {
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconPlayerTrackNextFilled,
  IconPlayerTrackPrevFilled,
  IconRepeat,
  IconVolume,
  IconVolumeOff,
} from "../../../platform/theme/icons";
import { t as k } from "../../../platform/messages/editing";
import type { Editing } from "../../editor/editing";
import { WithKey } from "../../editor/keys/CommandKey";
import type { Command } from "../../editor/keys/keymap";
import { NudgeButton } from "../timing/NudgeButton";
import { Zoom } from "../wave/Zoom";
import type { ZoomLevel } from "../wave/zoomLevel";
import { RATES } from "../../editor/playback/Playback";
import { useClock } from "../../editor/clock";
import { usePlayback } from "../../editor/playback/usePlayback";
import { useTypingPause } from "./useTypingPause";
import { useEditor } from "../../editor/context";
import styles from "./player.module.css";

interface Props {
  /** Of the waveform; null while that is hidden. */
  zoom: ZoomLevel | null;
}

/** Playback, speed and position; the waveform's controls are at the right end. */
export const Transport = memo(function Transport({ zoom }: Props) {
  const { file, editing, state } = useEditor();
  const { duration_ms: durationMs } = file;
  const readOnly = state.kind !== "editable";
  const { playback } = editing;
  useTypingPause(editing);
  const playing = usePlayback(playback, (one) => one.playing);
  const looping = usePlayback(playback, (one) => one.looping);
  const rate = usePlayback(playback, (one) => one.rate);
  return (
    <div className={styles.transport} role="group" aria-label={t("playback")}>
      <div className={styles.transportPlay}>
        <Tool
          label={k("keymap.previous")}
          command="previous"
          onClick={() => editing.step(-1, "list")}
        >
          <IconPlayerTrackPrevFilled size={17} />
        </Tool>
        <Tooltip label={<WithKey command="toggle">{playing ? t("pause") : t("play")}</WithKey>}>
          <ActionIcon
            variant="filled"
            color="spruce"
            radius="xl"
            size={38}
            aria-label={playing ? t("pause") : t("play")}
            onClick={() => playback.toggle()}
          >
            {playing ? <IconPlayerPauseFilled size={19} /> : <IconPlayerPlayFilled size={19} />}
          </ActionIcon>
        </Tooltip>
        <Tool label={k("keymap.next")} command="next" onClick={() => editing.step(1, "list")}>
          <IconPlayerTrackNextFilled size={17} />
        </Tool>
        <Now editing={editing} durationMs={durationMs} />
      </div>
      <div className={styles.transportMore}>
        <Tool
          label={looping ? t("stopLooping") : k("keymap.loopLine")}
          command="loopLine"
          pressed={looping}
          onClick={() => (looping ? playback.stopLoop() : editing.play(undefined, true))}
        >
          <IconRepeat size={18} />
        </Tool>
        <Menu position="top" width={110}>
          <Menu.Target>
            <UnstyledButton
              className={`${styles.transportRate} tabular`}
              aria-label={t("speed", { rate })}
            >
              {rate}×
            </UnstyledButton>
          </Menu.Target>
          <Menu.Dropdown>
            {RATES.map((one) => (
              <Menu.Item
                key={one}
                fw={one === rate ? 650 : undefined}
                onClick={() => playback.setRate(one)}
              >
                {one}×
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
        <Mute editing={editing} />
        {zoom !== null && (
          <>
            <NudgeButton editing={editing} readOnly={readOnly} />
            <Zoom level={zoom} />
          </>
        )}
      </div>
    </div>
  );
});

function Now({ editing, durationMs }: { editing: Editing; durationMs: number | null }) {
  const { frames, show } = useClock();
  // A number that changes only when the words do.
  const at = usePlayback(editing.playback, ({ nowMs }) =>
    frames === undefined ? Math.floor(nowMs / 100) : frames.at(nowMs),
  );
  return (
    <span className={`${styles.transportNow} tabular`}>
      {frames === undefined ? (
        <strong>
          {clock(at * 100)}
          <small>.{at % 10}</small>
        </strong>
      ) : (
        <strong>{show(frames.start(at))}</strong>
      )}
      {durationMs !== null && (
        <span className={styles.transportLength}> / {clock(durationMs)}</span>
      )}
    </span>
  );
}

function Mute({ editing }: { editing: Editing }) {
  const muted = usePlayback(editing.playback, ({ element }) => element?.muted ?? false);
  return (
    <Tool
      label={muted ? t("unmute") : t("mute")}
      command="mute"
      className={styles.transportMute}
      pressed={muted}
      onClick={() => editing.playback.setMuted(!muted)}
    >
      {muted ? <IconVolumeOff size={18} /> : <IconVolume size={18} />}
    </Tool>
  );
}

interface ToolProps {
  label: string;
  command?: Command;
  pressed?: boolean;
  className?: string | undefined;
  onClick: () => void;
  children: ReactNode;
}

function Tool({ label, command, pressed, className, onClick, children }: ToolProps) {
  return (
    <Tooltip label={command === undefined ? label : <WithKey command={command}>{label}</WithKey>}>
      <ActionIcon
        size="lg"
        className={className}
        aria-label={label}
        aria-pressed={pressed}
        color={pressed === true ? "spruce" : "gray"}
        variant={pressed === true ? "light" : "subtle"}
        onClick={onClick}
      >
        {children}
      </ActionIcon>
    </Tooltip>
  );
}
