"""The arguments that end an export's command: the file form, its tags and its name."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pipelines.media.playback import WITHOUT_METADATA
from pipelines.messages.export_form import FileForm

_MUXER = {
    FileForm.MP4: ("-movflags", "+faststart", "-f", "mp4"),
    FileForm.M4A: ("-movflags", "+faststart", "-f", "ipod"),
    FileForm.MKV: ("-f", "matroska"),
    FileForm.WEBM: ("-f", "webm"),
    FileForm.MP3: ("-f", "mp3"),
    FileForm.WAV: ("-rf64", "auto", "-f", "wav"),
    FileForm.FLAC: ("-f", "flac"),
}
"""The index of an MP4 comes first, so that playback starts before the last byte arrives."""


def file_output(target: Path, form: FileForm, *, tags: Sequence[str] = (), duration_ms: int | None = None) -> list[str]:
    """`tags` come after what drops the original's metadata; `duration_ms` ends the file."""
    length = () if duration_ms is None else ("-t", f"{duration_ms}ms")
    return [*length, *WITHOUT_METADATA, *tags, *_MUXER[form], target.name]
