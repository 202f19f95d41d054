"""Caption files that a command writes: their formats, checks before the work, and writing them whole."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from api.edges.cli.console import err, fail, out
from pipelines.captions.forms.form import CaptionFormat, Document

if TYPE_CHECKING:
    from pipelines.messages.lines import CaptionLine

STANDARD_OUTPUT = Path("-")


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


def writer(format: CaptionFormat) -> Callable[[list[CaptionLine], str], bytes]:
    """The function that writes lines in a language as a file."""
    from pipelines.captions.forms.registry import write

    return lambda lines, language: write(format, Document(lines, language))


def put_out(target: Path, content: bytes) -> None:
    """Print the captions, or write them and say so."""
    if target == STANDARD_OUTPUT:
        typer.echo(content, nl=False)
        return
    write_whole(target, content)
    err.print(f"Wrote {target}", soft_wrap=True)


def write_whole(target: Path, content: bytes) -> None:
    """Write the file completely or not at all."""
    draft = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        draft.write_bytes(content)
        draft.replace(target)
    except OSError as error:
        draft.unlink(missing_ok=True)
        out.print(content.decode("utf-8", "replace"), end="", markup=False)
        raise fail(f"{target} cannot be written ({error.strerror}). The captions are printed above.") from None


def move_whole(made: Path, target: Path) -> None:
    """Move a finished file to `target`, completely or not at all."""
    draft = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        try:
            made.replace(target)
        except OSError:
            # On another file system.
            shutil.copyfile(made, draft)
            draft.replace(target)
    except OSError as error:
        raise fail(f"{target} cannot be written ({error.strerror}).") from None
    finally:
        draft.unlink(missing_ok=True)
