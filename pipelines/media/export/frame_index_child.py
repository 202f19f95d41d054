"""Run as a script by `frame_index.py`: prints where the frames of a video stand, as JSON on standard output.

    python -I frame_index_child.py PATH FORMAT_WHITELIST STREAM PROBE_SIZE_BYTES

A process of its own, like `probe_child.py`. Reads packets without decoding any. Exit status 3: libav cannot read it.
"""

from __future__ import annotations

import json
import sys
from bisect import bisect_left
from itertools import pairwise
from typing import Any

import av

UNREADABLE = 3


def main(path: str, whitelist: str, stream: str, probe_size: str) -> int:
    options = {"protocol_whitelist": "file", "format_whitelist": whitelist, "probesize": probe_size}
    times: list[int] = []
    keys: list[int] = []
    whole = True
    try:
        with av.open(f"file:{path}", options=options, metadata_errors="replace") as container:
            video = container.streams[int(stream)]
            for packet in container.demux(video):
                if not packet.size:
                    continue
                if packet.pts is None or packet.is_discard or packet.is_corrupt:
                    whole = False
                    break
                times.append(packet.pts)
                if packet.is_keyframe:
                    keys.append(packet.pts)
            start_us = container.start_time or 0
            base: Any = video.time_base
    except (av.FFmpegError, ValueError) as error:
        sys.stderr.write(f"{type(error).__name__}: {error}\n")
        return UNREADABLE
    times.sort()
    whole = whole and bool(times) and times[0] >= 0 and all(a < b for a, b in pairwise(times))
    found = {
        "start_us": start_us,
        "time_base": [base.numerator, base.denominator],
        "frames": len(times),
        "last": times[-1] if times else 0,
        # Time, frames before it, and the time of the frame before.
        "keys": [[key, at, times[at - 1] if at else key] for key in sorted(keys) for at in [bisect_left(times, key)]],
    }
    sys.stdout.write(json.dumps(found if whole else {}))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:5]))
