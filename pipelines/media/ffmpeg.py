"""The only module that runs ffmpeg: opens files of strangers, reports progress and turns errors into sentences."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Generator, Sequence
from contextlib import closing
from functools import lru_cache
from pathlib import Path

import structlog

from cluster.limited_process.limits import ProcessLimits
from cluster.limited_process.process import LimitedProcess, ProcessFailed, Stopped
from cluster.resources import cores
from cluster.settings import get_cluster_settings
from cluster.wording.message import Message
from pipelines.media.limits import MAX_PIXELS
from pipelines.media.sniff import DEMUXERS
from pipelines.messages.attempt import DISK_FULL, StageFailed

log = structlog.get_logger(__name__)

FORMAT_WHITELIST = ",".join(DEMUXERS)
"""Names of demuxers that read only the file they are given: no playlist (HLS, DASH, concat) may name another file."""

MAX_THREADS = 8
"""Each frame thread of a decoder or of x264 holds frames: more threads gain little and cost much memory."""

_NAMED_CHANNELS = 8
"""Up to this number ffmpeg derives the channel layout from the number; it does not mix down more."""

NO_FFMPEG = Message(
    "pipelines.media.no_ffmpeg",
    "This server has no ffmpeg program, which every media file needs. Its administrator must install it.",
)
REASONS: dict[Stopped, str] = {
    Stopped.CPU: Message(
        "pipelines.media.file_takes_more_computing_time",
        "This file takes more computing time than a file of its length may. Convert it to MP4 and try again.",
    ),
    Stopped.WALL: Message(
        "pipelines.media.working_on_file_took_too",
        "Working on this file took too long and was stopped. Please try again.",
    ),
    Stopped.STALLED: Message(
        "pipelines.media.work_on_file_stalled_stopped", "Work on this file stalled and was stopped. Please try again."
    ),
    Stopped.MEMORY: Message(
        "pipelines.media.file_needs_more_memory_than",
        "This file needs more memory than a file may use. Make a smaller version of it and try again.",
    ),
    Stopped.DISK: DISK_FULL,
    Stopped.FILE: Message(
        "pipelines.media.result_became_larger_than_allowed",
        "The result became larger than is allowed for this file. Make a smaller version of it and try again.",
    ),
}
RETRYABLE = frozenset({Stopped.WALL, Stopped.STALLED, Stopped.DISK})


@lru_cache
def find_ffmpeg() -> str:
    """The absolute path of the program: the setting, else the one on PATH, else imageio-ffmpeg's."""
    configured = get_cluster_settings().ffmpeg
    found = shutil.which(configured or "ffmpeg")
    if found is None and configured is None:
        found = _bundled()
    if found is None:
        raise StageFailed("ffmpeg", NO_FFMPEG, retryable=False)
    return str(Path(found).absolute())


def _bundled() -> str | None:
    try:
        import imageio_ffmpeg

        return str(imageio_ffmpeg.get_ffmpeg_exe())
    except (ImportError, RuntimeError):
        return None


_LIST_TIMEOUT_S = 30


def list_of(program: str, option: str) -> str:
    """What the program lists for an option such as `-filters`. Raises `OSError` or `SubprocessError`."""
    answer = subprocess.run(
        [program, "-nostdin", "-hide_banner", option] if option != "-version" else [program, option],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=_LIST_TIMEOUT_S, check=True,
    )  # fmt: skip
    return answer.stdout


def program_version() -> str:
    """What the program says of itself: its version, how it was built and its libraries.

    Raises `StageFailed` where it does not run.
    """
    program = find_ffmpeg()
    try:
        # It may be replaced while a worker lives.
        status = Path(program).stat()
        return _version_of(program, status.st_size, status.st_mtime_ns)
    except (OSError, subprocess.SubprocessError) as error:
        raise StageFailed("ffmpeg", NO_FFMPEG, retryable=False) from error


@lru_cache(maxsize=4)
def _version_of(program: str, size_bytes: int, changed_ns: int) -> str:
    return list_of(program, "-version").strip()


def source(path: Path, *, offset_ms: int = 0, seek_ms: int = 0, seek_us: int | None = None) -> list[str]:
    """The arguments that open a stranger's file. `offset_ms` moves its times later, `seek_ms` starts inside it.

    `seek_us` starts at the keyframe at or before this time after the file's first, in microseconds.
    """
    arguments = ["-protocol_whitelist", "file", "-format_whitelist", FORMAT_WHITELIST, "-threads", threads()]
    arguments += ["-max_pixels", str(MAX_PIXELS)]
    if offset_ms:
        arguments += ["-itsoffset", f"{offset_ms}ms"]
    if seek_ms:
        arguments += ["-ss", f"{seek_ms}ms"]
    if seek_us is not None:
        arguments += ["-noaccurate_seek", "-ss", f"{seek_us}us"]
    return [*arguments, "-i", f"file:{path.absolute()}"]


def own_file(name: str, demuxer: str) -> list[str]:
    """The arguments that open a file that we wrote into the work folder."""
    return ["-protocol_whitelist", "file", "-format_whitelist", demuxer, "-f", demuxer, "-i", f"file:{name}"]


def threads() -> str:
    return str(min(cores(), MAX_THREADS))


def render(
    stage: str, arguments: Sequence[str], *, limits: ProcessLimits, cwd: Path, failure: str
) -> Generator[int, None, None]:
    """Run ffmpeg to write a file and yield the milliseconds written, never falling.

    `failure` is the sentence for the user when ffmpeg fails on the file itself.
    """
    written_ms = 0
    rest = b""
    with closing(stream(stage, ["-progress", "pipe:1", *arguments], limits=limits, cwd=cwd, failure=failure)) as blocks:
        for block in blocks:
            *lines, rest = (rest + block).split(b"\n")
            for line in lines:
                name, _, value = line.partition(b"=")
                # `out_time_ms` holds microseconds as well; both are `N/A` or negative before the first frame.
                if name == b"out_time_us" and value.strip().isdigit():
                    written_ms = max(written_ms, int(value) // 1000)
                    yield written_ms


def stream(
    stage: str,
    arguments: Sequence[str],
    *,
    limits: ProcessLimits,
    cwd: Path | None = None,
    failure: str,
    warnings: list[str] | None = None,
) -> Generator[bytes, None, None]:
    """Run ffmpeg and yield its standard output. Closing the generator kills it. Raises `StageFailed` only.

    Complaints of a successful ffmpeg are appended to `warnings`.
    """
    command = [find_ffmpeg(), "-nostdin", "-hide_banner", "-loglevel", "error", "-y", "-stats_period", "0.5"]
    try:
        with LimitedProcess([*command, *arguments], limits, cwd=cwd) as process:
            yield from process.output()
            if warnings is not None:
                warnings.extend(process.errors.splitlines())
    except ProcessFailed as failed:
        raise stage_failed(stage, failed, failure) from failed


def run(stage: str, arguments: Sequence[str], *, limits: ProcessLimits, cwd: Path, failure: str) -> None:
    """Run ffmpeg to its end."""
    for _ in stream(stage, arguments, limits=limits, cwd=cwd, failure=failure):
        pass


def stage_failed(stage: str, failed: ProcessFailed, failure: str) -> StageFailed:
    """The error for the user; the program's own messages go only to the log."""
    log.warning("media.process_failed", stage=stage, why=failed.why, code=failed.returncode, errors=failed.errors)
    # A signal that is not one of our limits (out of memory, an operator) says nothing about the file.
    by_signal = failed.why is Stopped.FAILED and (failed.returncode or 0) < 0
    return StageFailed(stage, REASONS.get(failed.why, failure), retryable=by_signal or failed.why in RETRYABLE)


def mono_mix(channels: int) -> str:
    """The filter, with its comma, that mixes more channels into one at equal levels; empty for fewer.

    Recorders write a track for each microphone.
    """
    if channels <= _NAMED_CHANNELS:
        return ""
    return f"pan=mono|c0<{'+'.join(f'c{number}' for number in range(channels))},"
