"""Run as a script by `probe.py`: prints the facts that libav reads in a file, as JSON on standard output.

    python probe_child.py PATH FORMAT_WHITELIST PROBE_SIZE_BYTES MAX_PIXELS

A process of its own, because a demuxer that meets a hostile file may crash, loop or eat memory, and a Ray worker
must survive that. Exit status 3: libav cannot read the file; the last line of standard error says why.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import av

UNREADABLE = 3
_FRAMES_TO_TRY = 60
_EARLY_MS = 500


def main(path: str, whitelist: str, probe_size: str, max_pixels: str) -> int:
    try:
        facts = facts_in(path, open_options(whitelist, probe_size, max_pixels))
    except (av.FFmpegError, ValueError) as error:
        sys.stderr.write(f"{type(error).__name__}: {error}\n")
        return UNREADABLE
    sys.stdout.write(json.dumps(facts))
    return 0


def open_options(whitelist: str, probe_size: str, max_pixels: str) -> dict[str, str]:
    """With what a stranger's file is opened: it may name no other file."""
    return {
        "protocol_whitelist": "file",
        "format_whitelist": whitelist,
        "probesize": probe_size,
        "max_pixels": max_pixels,
    }


def facts_in(path: str, options: dict[str, str]) -> dict[str, Any]:
    """Raises `av.FFmpegError` and `ValueError`."""
    with opened(path, options) as container:
        return facts_of_opened(container, path, options)


def facts_of_opened(container: Any, path: str, options: dict[str, str]) -> dict[str, Any]:
    """The facts of a file that is open already. Its packets are read only where it states no end."""
    streams = [_stream(stream) for stream in container.streams]
    start_ms = _ms(container.start_time, 1_000_000) or 0
    facts = {
        "format": container.format.name,
        "start_ms": start_ms,
        "end_ms": stated_end(container, start_ms),
        "bit_rate": container.bit_rate or None,
        "streams": streams,
    }
    picture = next((entry for entry in streams if entry["type"] == "video" and not entry["attached"]), None)
    if picture is not None:
        picture.update(_first_frame(path, options, picture["index"]))
    if facts["end_ms"] is None:
        facts["end_ms"] = _measure(container)
    return facts


def _stream(stream: Any) -> dict[str, Any]:
    context = stream.codec_context
    attached = bool(stream.disposition & type(stream.disposition).attached_pic)
    entry: dict[str, Any] = {
        "index": stream.index,
        "type": stream.type,
        "codec": context.name if context is not None else None,
        "language": stream.language,
        "default": bool(stream.disposition & type(stream.disposition).default),
        "attached": attached,
        "start_ms": _ms(stream.start_time, 1, stream.time_base),
        "duration_ms": _ms(stream.duration, 1, stream.time_base),
        "profile": stream.profile,
        "timecode": _timecode(stream),
    }
    if context is not None:
        # The decoder may have a library's name; players use the name of the standard.
        entry["codec"] = getattr(context.codec, "canonical_name", context.name)
    if stream.type == "audio" and context is not None:
        entry |= {"channels": context.channels, "rate": context.sample_rate}
    if stream.type == "video" and context is not None:
        sar = stream.sample_aspect_ratio
        rate = stream.average_rate
        entry |= {
            "width": context.width,
            "height": context.height,
            "pixel_format": context.pix_fmt,
            "pixel_aspect": float(sar) if sar else 1.0,
            "fps": round(float(rate), 3) if rate else None,
            "most_fps": round(float(stream.base_rate), 3) if stream.base_rate else None,
            "time_base": [stream.time_base.numerator, stream.time_base.denominator],
            "transfer": context.color_trc,
        }
    return entry


def opened(path: str, options: dict[str, str]) -> Any:
    """The file as libav's container, for a `with`."""
    # Old programs wrote titles in national encodings, which is no reason to refuse a file.
    return av.open(f"file:{path}", options=options, metadata_errors="replace")


def _first_frame(path: str, options: dict[str, str], index: int) -> dict[str, Any]:
    """The facts that only a decoded frame has; only `decodes` when no frame of the first packets can be decoded.

    Frames that an edit list hides count too: a trim without encoding hides up to a whole group of pictures, hundreds of
    frames that would have to be decoded for nothing.
    """
    whole = {**options, "ignore_editlist": "1"}
    with opened(path, whole) as container:
        stream: Any = container.streams[index]
        stream.thread_type = "NONE"
        return _decoded(container, stream)


def _timecode(stream: Any) -> str:
    """What the tags of a stream say of the number of its first frame."""
    return next((value for name, value in stream.metadata.items() if name.lower() == "timecode"), "")


def _decoded(container: Any, stream: Any) -> dict[str, Any]:
    for tried, packet in enumerate(container.demux(stream), 1):
        try:
            for frame in packet.decode():
                return {
                    "decodes": True,
                    "rotation": int(frame.rotation),
                    "interlaced": bool(frame.interlaced_frame),
                    "pixel_format": frame.format.name,
                    "width": frame.width,
                    "height": frame.height,
                }
        except av.FFmpegError:
            pass
        if tried >= _FRAMES_TO_TRY:
            break
    return {"decodes": False}


def stated_end(container: Any, start_ms: int) -> int | None:
    """The end time that the file states; None where it is missing or ambiguous."""
    duration_ms = _ms(container.duration, 1_000_000)
    if not duration_ms:
        return None
    if "matroska" in container.format.name:
        # Some writers count from 0, some from the first frame.
        return duration_ms if start_ms <= _EARLY_MS else None
    return start_ms + duration_ms


def _measure(container: Any) -> int | None:
    """The end of the last packet: recordings made by browsers, for example, state no duration."""
    end_ms = 0
    try:
        container.seek(0)
        for packet in container.demux():
            if packet.pts is not None:
                end = (packet.pts + (packet.duration or 0)) * packet.time_base * 1000
                end_ms = max(end_ms, int(end))
    except av.FFmpegError:
        pass  # The part up to the damage is measured.
    return end_ms or None


def _ms(value: int | None, units_per_s: int, time_base: Any = 1) -> int | None:
    return None if value is None else int(value * 1000 * time_base / units_per_s)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:5]))
