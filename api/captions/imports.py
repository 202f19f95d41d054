"""Imports of subtitle files: read in a child process, two at a time, then compared with the old lines."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from api.captions.errors import EditFailed
from api.http.errors import TooManyRequests
from pipelines.captions.cues import UnreadableSubtitles, with_words
from pipelines.captions.edit import EditResult
from pipelines.captions.import_process import read_in_process
from pipelines.captions.limits import COMPARED_PAIRS_MAX, IMPORT_PAIRS_MAX
from pipelines.captions.lines import CaptionLine
from pipelines.captions.realign import pairs_of, realign
from pipelines.captions.subtitles import Imported

EMPTY_IMPORT = "This file holds no captions, so nothing was changed."
BUSY = "Several subtitle files are being read just now. Try again in a few seconds."

_AT_ONCE = 2
_WAITING_MAX = 8
"""A longer queue would make callers wait longer than a call may take."""


class _Readers:
    """Threads that each wait for one child process, behind a bounded queue."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="subtitle-import")
        self._pending = 0

    async def read(self, raw: bytes, language: str | None) -> Imported:
        if self._pending >= _AT_ONCE + _WAITING_MAX:
            raise TooManyRequests(BUSY, retry_after_s=5)
        self._pending += 1
        reading = asyncio.get_running_loop().run_in_executor(self._threads, read_in_process, raw, language)
        # Count the process until it has ended, even when the caller disconnects.
        reading.add_done_callback(self._end)
        return await asyncio.shield(reading)

    def _end(self, reading: asyncio.Future[Imported]) -> None:
        self._pending -= 1
        if not reading.cancelled():
            reading.exception()


_readers = _Readers()


async def read_file(raw: bytes, language: str | None) -> Imported:
    """The lines of a subtitle file. Raises `EditFailed` with a sentence, and `TooManyRequests`."""
    try:
        imported = await _readers.read(raw, language)
    except UnreadableSubtitles as unreadable:
        raise EditFailed(str(unreadable)) from unreadable
    if not imported.lines:
        raise EditFailed(EMPTY_IMPORT)
    return imported


def replacement(before: Sequence[CaptionLine], lines: Sequence[CaptionLine]) -> EditResult:
    """Replace all lines by those of a file. A line that starts where an old one did keeps its id and its words.

    So a file that was downloaded, corrected elsewhere and imported again loses no word time. At most
    `IMPORT_PAIRS_MAX` pairs of words are compared over all lines.
    """
    old = {line.start_ms: line for line in before}
    pairs_left = IMPORT_PAIRS_MAX
    after = []
    for line in lines:
        same = old.get(line.start_ms)
        if same is None:
            after.append(with_words(replace(line, id=str(uuid.uuid4()))))
        elif same.text == line.text:
            after.append(replace(same, end_ms=line.end_ms))
        else:
            moved = replace(same, end_ms=line.end_ms)
            allowed = min(COMPARED_PAIRS_MAX, pairs_left)
            words = realign(moved, line.text, pairs_max=allowed)
            pairs_left -= min(allowed, pairs_of(same, line.text))
            after.append(replace(moved, text=line.text, words=words, doubts=()))
    unchanged = set(before) & set(after)
    return EditResult(
        tuple(line for line in before if line not in unchanged),
        tuple(line for line in after if line not in unchanged),
    )
