"""Run as a script by `part_join.py`: joins encoded parts into one MP4 without sound, frame by frame.

    python -I part_join_child.py PLAN TARGET MISMATCH

PLAN is JSON: `time_base` of the original and for each part its `path`, `start` and number of `frames`. Frames keep
their distances from the start of their part. Decoding times are made anew, because those of two parts may overlap where
the frame rate varies. Exit status MISMATCH: a part has other frames than it should, or another encoder made it.
"""

from __future__ import annotations

import json
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import av


def main(plan: str, target: str, mismatch: str) -> int:
    wanted = json.loads(Path(plan).read_text())
    base = Fraction(*wanted["time_base"])
    made: Any = None
    extradata: bytes | None = None
    earlier: list[int] | None = None
    delay = 0
    with av.open(target, "w", format="mp4") as output:
        for part in wanted["parts"]:
            with av.open(f"file:{part['path']}", options={"protocol_whitelist": "file"}) as opened:
                video = opened.streams.video[0]
                if made is None:
                    made = output.add_stream_from_template(video)
                    made.time_base = video.time_base
                    extradata = video.codec_context.extradata
                if video.codec_context.extradata != extradata:
                    sys.stderr.write(f"{part['path']} has another form than the first part\n")
                    return int(mismatch)
                packets: list[Any] = [packet for packet in opened.demux(video) if packet.size]
                times = sorted(packet.pts for packet in packets)
                moved = part["start"] * base / video.time_base - times[0] if times else Fraction(0)
                early = sum(packet.dts < times[0] for packet in packets)
                delay = early if earlier is None else delay
                if len(times) != part["frames"] or early > delay or moved.denominator != 1:
                    sys.stderr.write(f"{part['path']}: {len(times)} frames, not {part['frames']}\n")
                    return int(mismatch)
                for packet in packets:
                    packet.pts += int(moved)
                times = [time + int(moved) for time in times]
                if earlier and times[0] <= earlier[-1]:
                    sys.stderr.write(f"{part['path']} begins before the last part ends\n")
                    return int(mismatch)
                earlier = _write(output, made, packets, times, delay, earlier)
    return 0


def _write(
    output: Any, made: Any, packets: list[Any], times: list[int], delay: int, earlier: list[int] | None
) -> list[int]:
    """Write one part. `earlier` are the last `delay` times before it; return those of this part."""
    if earlier is None:
        # As x264 does: the first frames are decoded as early as the reordering needs.
        lead = times[min(delay, len(times) - 1)] - times[0] or delay
        earlier = [time - lead for time in times[:delay]]
        earlier += [earlier[-1] + 1 + number for number in range(delay - len(earlier))]
    decoding = [*earlier, *times]
    for packet, time in zip(packets, decoding, strict=False):
        packet.dts = time
        packet.stream = made
        output.mux(packet)
    return decoding[len(decoding) - delay :]


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:4]))
