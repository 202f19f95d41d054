"""How much of the machine one file may use. Every figure of a media limit is here; memory is that of any child."""

from __future__ import annotations

from cluster.limited_process.limits import ProcessLimits

MAX_DURATION_MS: int = 4 * 60 * 60 * 1000
MAX_SIDE_PX = 8192
MAX_OUTPUT_FPS = 60
"""Copies we make have at most this many frames a second; faster originals are accepted and thinned out."""

MAX_PIXELS = MAX_SIDE_PX**2
"""The largest single picture a decoder may start: a header may state less than the frames after it."""

MAX_CHANNELS = 64
"""Channels of one sound track: no more can be mixed down."""

SHORT_SOUND_MS = 60_000
SHORT_SOUND_BYTES = 12_000_000
"""Sound that is decoded in passing: a minute of 16-bit stereo has 11.5 MB."""

PROBE_CPU_S = 20
BASE_CPU_S = 20
CPU_S_PER_S = 4
"""Preprocessing: seconds of CPU for any file, and for each second of the file."""
SPARE_BYTES = 100 * 1000 * 1000
LEAST_BYTES_PER_S = 40_000
"""Space for copies of files with very low bit rates: 4 x input would not hold 128 kbit/s AAC and a quiet picture."""

LOSSLESS_BYTES_PER_S = 4 * 192_000
"""Space for a channel of sound without loss at the highest rate."""

PROBE_SIZE_BYTES = 50_000_000
"""How far a demuxer may read to find the streams of a file."""


def probe_limits() -> ProcessLimits:
    return ProcessLimits(cpu_s=PROBE_CPU_S, wall_s=6 * PROBE_CPU_S)


def short_sound_limits() -> ProcessLimits:
    """A minute of sound takes 0.1 s of CPU. What needs more is no short sound."""
    return ProcessLimits(cpu_s=3, wall_s=10, niceness=2)


def index_limits(input_bytes: int) -> ProcessLimits:
    """Reading the packets of a whole file: 100 MB a second of CPU on a slow machine."""
    cpu_s = PROBE_CPU_S + input_bytes // 100_000_000
    return ProcessLimits(cpu_s=cpu_s, wall_s=6 * cpu_s, niceness=2)


def preprocess_limits(duration_ms: int) -> ProcessLimits:
    """Decoding for analysis: 20 s + 4 x duration of CPU. Wall time leaves room for a loaded machine."""
    cpu_s = BASE_CPU_S + CPU_S_PER_S * duration_ms // 1000
    return ProcessLimits(cpu_s=cpu_s, wall_s=6 * cpu_s, niceness=2)


def render_limits(duration_ms: int, input_bytes: int) -> ProcessLimits:
    """Making a new copy: 1080p at 60 frames/s with burn-in takes 2 s of CPU a second, decoding 4K HEVC 3 more."""
    cpu_s = 60 + 30 * duration_ms // 1000
    return ProcessLimits(
        cpu_s=cpu_s, wall_s=4 * cpu_s, file_bytes=max_output_bytes(duration_ms, input_bytes), niceness=5
    )


def max_output_bytes(duration_ms: int, input_bytes: int) -> int:
    return 4 * input_bytes + SPARE_BYTES + LEAST_BYTES_PER_S * duration_ms // 1000
