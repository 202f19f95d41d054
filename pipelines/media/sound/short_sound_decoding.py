"""Decodes a short sound by libav in this process: a fork of `short_sound_child.py`, which a hostile file may crash."""

from __future__ import annotations

import wave
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import av
import av.filter

from pipelines.media.ffmpeg import FORMAT_WHITELIST, mono_mix
from pipelines.media.limits import MAX_PIXELS, PROBE_SIZE_BYTES
from pipelines.media.probe import MediaFacts, facts_of
from pipelines.media.probe_child import facts_of_opened, open_options, opened, stated_end
from pipelines.messages.attempt import StageFailed
from serve.tasks.transcription.messages import SAMPLE_RATE

_SAMPLE_BYTES = 2
_US_PER_S = 1_000_000


def decode(path: Path, wav: Path, longest_ms: int) -> int | None:
    """Write `wav` (16 kHz mono 16-bit) in the times of `pipelines/media/sound/audio.py`, and return its milliseconds.

    None for everything that is not simply a short sound: longer ones, those with damage, and what is no media. Then
    `wav` is incomplete or missing.
    """
    options = open_options(FORMAT_WHITELIST, str(PROBE_SIZE_BYTES), str(MAX_PIXELS))
    try:
        with opened(str(path), options) as container:
            facts = facts_of(path, lambda: facts_of_opened(container, str(path), options))
            if facts.audio is None or facts.duration_ms > longest_ms:
                return None
            if stated_end(container, (container.start_time or 0) // 1000) is not None:
                # Opening takes half of the time.
                return _write(container, facts, wav, longest_ms)
        # All packets were read to find the end.
        with opened(str(path), options) as container:
            return _write(container, facts, wav, longest_ms)
    except (StageFailed, av.FFmpegError, ValueError, OSError):
        return None


def _write(container: Any, facts: MediaFacts, wav: Path, longest_ms: int) -> int | None:
    assert facts.audio is not None
    most = longest_ms * SAMPLE_RATE // 1000
    samples = 0
    with wave.open(str(wav), "wb") as out:
        out.setparams((1, _SAMPLE_BYTES, SAMPLE_RATE, 0, "NONE", ""))
        stream = container.streams[facts.audio.index]
        # As ffmpeg counts: from the first time in the file, moved later where browsers keep a late start.
        first_us = (container.start_time or 0) - facts.clock_offset_ms * 1000
        for frame in _resampled(_frames(container, stream, first_us), stream, facts.audio.channels):
            samples += frame.samples
            if samples > most:
                return None
            out.writeframesraw(bytes(frame.planes[0])[: frame.samples * _SAMPLE_BYTES])
    return samples * 1000 // SAMPLE_RATE or None


def _frames(container: Any, stream: Any, first_us: int) -> Iterator[Any]:
    """Decoded frames of the stream, with times from `first_us` on."""
    for frame in container.decode(stream):
        if frame.pts is not None:
            frame.pts -= int(Fraction(first_us, _US_PER_S) / frame.time_base)
        yield frame


def _resampled(frames: Iterator[Any], stream: Any, channels: int) -> Iterator[Any]:
    """Frames of 16 kHz mono. Silence precedes a late start and fills gaps."""
    graph: Any = None
    sink: Any = None
    for frame in frames:
        if graph is None:
            graph, sink = _graph(frame, stream, channels)
        graph.push(frame)
        yield from _ready(sink)
    if graph is not None:
        graph.push(None)
        yield from _ready(sink)


def _graph(frame: Any, stream: Any, channels: int) -> tuple[Any, Any]:
    graph = av.filter.Graph()
    nodes = [
        graph.add_abuffer(
            sample_rate=frame.sample_rate,
            format=frame.format.name,
            layout=frame.layout.name,
            time_base=frame.time_base or stream.time_base,
        )
    ]
    if mix := mono_mix(channels).rstrip(","):
        nodes.append(graph.add("pan", mix.partition("=")[2]))
    nodes.append(graph.add("aresample", "async=1:first_pts=0"))
    nodes.append(graph.add("aformat", f"sample_fmts=s16:sample_rates={SAMPLE_RATE}:channel_layouts=mono"))
    nodes.append(graph.add("abuffersink"))
    for before, after in pairwise(nodes):
        before.link_to(after)
    graph.configure()
    return graph, nodes[-1]


def _ready(sink: Any) -> Iterator[Any]:
    while True:
        try:
            yield sink.pull()
        except (av.BlockingIOError, av.EOFError):
            return
