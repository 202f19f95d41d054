"""Caption files that a command writes: their formats, checks before the work, and writing them whole."""

from __future__ import annotations

import os
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path

from api.cli.console import fail, out

STANDARD_OUTPUT = Path("-")


class Format(StrEnum):
    SRT = "srt"
    VTT = "vtt"
    TXT = "txt"
    JSON = "json"


def check_output(target: Path, source: Path, *, force: bool) -> None:
    """Reject early what would fail after minutes of work."""
    if target == STANDARD_OUTPUT:
        return
    if target.exists() and target.samefile(source):
        raise fail(f"{target} is the input itself. Choose another name for the output.")
    if target.is_dir():
        raise fail(f"{target} is a folder. Give the name of a file.")
    if target.exists() and not force:
        raise fail(f"{target} already exists. Use --force to overwrite it, or -o for another name.")
    if not os.access(target.parent, os.W_OK):
        raise fail(f"{target} cannot be written: the folder {target.parent} is missing or not writable for you.")


def writer(format: Format) -> Callable[..., str]:
    """The function that formats lines in a language as text."""
    from pipelines.captions.json_form import format_json
    from pipelines.captions.plain import format_plain
    from pipelines.captions.srt import format_srt
    from pipelines.captions.vtt import format_vtt

    writers: dict[Format, Callable[..., str]] = {
        Format.SRT: lambda lines, _language: format_srt(lines),
        Format.VTT: format_vtt,
        Format.TXT: lambda lines, _language: format_plain(lines),
        Format.JSON: format_json,
    }
    return writers[format]


def write_whole(target: Path, text: str) -> None:
    """Write the file completely or not at all."""
    draft = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        draft.write_text(text, encoding="utf-8")
        draft.replace(target)
    except OSError as error:
        draft.unlink(missing_ok=True)
        out.print(text, end="", markup=False)
        raise fail(f"{target} cannot be written ({error.strerror}). The captions are printed above.") from None
