import { ActionIcon, Group } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import useSWR from "swr";
import WaveSurfer from "wavesurfer.js";
import RegionsPlugin, { type Region } from "wavesurfer.js/dist/plugins/regions.esm.js";
import { send } from "../../api/client";
import { keys } from "../../api/keys";
import type { MediaFile } from "../files/data";
import type { Player } from "./player";
import type { Line } from "./types";

interface Peaks {
  samples_per_second: number;
  peaks: number[];
}

interface Props {
  file: MediaFile;
  player: Player;
  lines: Line[];
  selected: string | null;
  readOnly: boolean;
  onSelect: (id: string) => void;
  onRetime: (id: string, startMs: number, endMs: number) => void;
}

const ZOOMS = [0, 20, 50, 100, 200];
/** Cue blocks are drawn for this many lines around the playhead: thousands of elements would slow every frame. */
const BLOCKS_AROUND = 40;

/** The sound as a picture, from peaks made on the server, with the lines as blocks one can drag. */
export function Waveform({ file, player, lines, selected, readOnly, onSelect, onRetime }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const surfer = useRef<WaveSurfer | null>(null);
  const regions = useRef<ReturnType<typeof RegionsPlugin.create> | null>(null);
  const [zoom, setZoom] = useState(1);
  const { data: peaks } = useSWR(file.peaks_url === null ? null : keys.peaks(file.slug), () =>
    send<Peaks>("GET", file.peaks_url ?? ""),
  );
  const media = player.media;
  const handlers = useRef({ onSelect, onRetime, seek: player.seek });
  useEffect(() => {
    handlers.current = { onSelect, onRetime, seek: player.seek };
  });

  useEffect(() => {
    if (box.current === null || peaks === undefined || file.duration_ms === null) return;
    const plugin = RegionsPlugin.create();
    const wave = WaveSurfer.create({
      container: box.current,
      height: 84,
      waveColor: "#8fb8b2",
      progressColor: "#237068",
      cursorColor: "#c2410c",
      cursorWidth: 2,
      peaks: [peaks.peaks.map((value) => value / 127)],
      duration: file.duration_ms / 1000,
      normalize: true,
      autoScroll: true,
      media: media.current ?? undefined,
      plugins: [plugin],
    });
    plugin.on("region-updated", (region: Region) =>
      handlers.current.onRetime(
        region.id,
        Math.round(region.start * 1000),
        Math.round(region.end * 1000),
      ),
    );
    plugin.on("region-clicked", (region: Region, event: MouseEvent) => {
      event.stopPropagation();
      handlers.current.onSelect(region.id);
      handlers.current.seek(Math.round(region.start * 1000));
    });
    surfer.current = wave;
    regions.current = plugin;
    return () => {
      surfer.current = null;
      regions.current = null;
      wave.destroy();
    };
  }, [peaks, file.duration_ms, media]);

  useEffect(() => {
    const wave = surfer.current;
    if (wave !== null && peaks !== undefined) {
      try {
        wave.zoom(ZOOMS[zoom] ?? 0);
      } catch {
        // Not drawn yet: it is drawn at the zoom it gets next.
      }
    }
  }, [zoom, peaks]);

  const centre = lines.findIndex((line) => line.end_ms >= player.nowMs);
  const from = Math.max(0, (centre < 0 ? lines.length : centre) - BLOCKS_AROUND);
  useEffect(() => {
    const plugin = regions.current;
    if (plugin === null) return;
    const wanted = new Map(
      lines.slice(from, from + 2 * BLOCKS_AROUND).map((line) => [line.id, line]),
    );
    for (const region of plugin.getRegions()) {
      const line = wanted.get(region.id);
      if (line === undefined) {
        region.remove();
        continue;
      }
      wanted.delete(region.id);
      region.setOptions({
        start: line.start_ms / 1000,
        end: line.end_ms / 1000,
        color: colour(line.id === selected),
        drag: !readOnly,
        resize: !readOnly,
      });
    }
    for (const line of wanted.values()) {
      plugin.addRegion({
        id: line.id,
        start: line.start_ms / 1000,
        end: line.end_ms / 1000,
        color: colour(line.id === selected),
        drag: !readOnly,
        resize: !readOnly,
      });
    }
  }, [lines, from, selected, readOnly, peaks]);

  return (
    <section className="wave" aria-label="Waveform">
      <Group justify="flex-end" gap={4} className="wave-tools">
        <ActionIcon
          variant="default"
          size="sm"
          aria-label="Zoom out"
          disabled={zoom === 0}
          onClick={() => setZoom(zoom - 1)}
        >
          −
        </ActionIcon>
        <ActionIcon
          variant="default"
          size="sm"
          aria-label="Zoom in"
          disabled={zoom === ZOOMS.length - 1}
          onClick={() => setZoom(zoom + 1)}
        >
          +
        </ActionIcon>
      </Group>
      <div ref={box} />
    </section>
  );
}

function colour(isSelected: boolean): string {
  return isSelected ? "rgba(242, 184, 114, 0.45)" : "rgba(69, 159, 148, 0.2)";
}
