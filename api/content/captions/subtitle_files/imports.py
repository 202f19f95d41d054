"""Imports of subtitle files: read in a child process, two at a time, then compared with the old lines."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from fastapi import UploadFile

from api.content.captions.errors import EditFailed
from api.platform.http.errors import TooManyRequests
from api.platform.http.limits import IMPORT_BYTES_MAX, IMPORT_FRAME_BYTES
from cluster.sizes import MB
from cluster.wording.message import Message
from pipelines.captions.edits.speaker_lines import next_label
from pipelines.captions.forms.form import USUAL_READING, Reading
from pipelines.captions.imports.answer import ReadFile
from pipelines.captions.imports.process import file_in_process
from pipelines.captions.limits import SPEAKERS_MAX
from pipelines.captions.outside_review.compare import Comparison, Line
from pipelines.captions.outside_review.process import compare_in_process
from pipelines.captions.reading.cues import NoCaptionTimes, UnreadableSubtitles
from pipelines.captions.script.process import script_in_process
from pipelines.captions.texts.speaker_names import COLOURS, shown_name

EMPTY_IMPORT = Message("captions.empty_import", "This file holds no captions, so nothing was changed.")
BUSY = Message("captions.imports_busy", "Several subtitle files are being read just now. Try again in a few seconds.")
TOO_MANY_SPEAKERS = Message(
    "captions.too_many_speakers",
    "With this file there would be more than {count} speakers. Merge some of those here "
    "first, or name fewer in the file.",
    count=SPEAKERS_MAX,
)

IMPORT_MAX_BYTES = IMPORT_BYTES_MAX - IMPORT_FRAME_BYTES
TOO_LARGE = Message(
    "captions.too_large",
    "This file is too large for captions. The largest accepted is {size} MB.",
    size=IMPORT_BYTES_MAX // MB,
)

_AT_ONCE = 2
_WAITING_MAX = 8
"""A longer queue would make callers wait longer than a call may take."""


Found = TypeVar("Found")


class _Readers:
    """Threads that each wait for one child process, behind a bounded queue."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="subtitle-import")
        self._pending = 0

    async def run(self, read: Callable[[], Found]) -> Found:
        if self._pending >= _AT_ONCE + _WAITING_MAX:
            raise TooManyRequests(BUSY, retry_after_s=5)
        self._pending += 1
        reading = asyncio.get_running_loop().run_in_executor(self._threads, read)
        # Count the process until it has ended, even when the caller disconnects.
        reading.add_done_callback(self._end)
        return await asyncio.shield(reading)

    def _end(self, reading: asyncio.Future[Any]) -> None:
        self._pending -= 1
        if not reading.cancelled():
            reading.exception()


_readers = _Readers()


async def read_upload(file: UploadFile) -> bytes:
    """The bytes of a file that somebody sends. Raises `EditFailed` for one that is too large."""
    raw = await file.read(IMPORT_MAX_BYTES + 1)
    if len(raw) > IMPORT_MAX_BYTES:
        raise EditFailed(TOO_LARGE)
    return raw


@dataclass(frozen=True, slots=True)
class Heard:
    """Captions that a text may take its times from: their lines as the database writes them, and names of speakers."""

    lines: str
    names: Mapping[str, str]


async def read_file(
    raw: bytes, language: str, heard: Callable[[], Awaitable[Heard]], reading: Reading = USUAL_READING
) -> ReadFile:
    """The lines of a subtitle file, or of a text at the times of what was heard.

    `heard` is called for a text without times. Raises `EditFailed` with a sentence, and `TooManyRequests`.
    """
    try:
        try:
            found = await _readers.run(partial(file_in_process, raw, language, reading))
        except NoCaptionTimes:
            known = await heard()
            found = await _readers.run(partial(script_in_process, raw, known.lines, known.names, language))
    except UnreadableSubtitles as unreadable:
        raise EditFailed(str(unreadable)) from unreadable
    if not found.lines:
        raise EditFailed(EMPTY_IMPORT)
    return found


async def compare_file(raw: bytes, lines: Sequence[Line], language: str | None) -> Comparison:
    """What came back from a reader outside, against the lines. Raises `EditFailed`, and `TooManyRequests`."""
    try:
        return await _readers.run(partial(compare_in_process, raw, lines, language))
    except UnreadableSubtitles as unreadable:
        raise EditFailed(str(unreadable)) from unreadable


def speakers_after(
    speakers: Sequence[Mapping[str, Any]], names: Mapping[str, str]
) -> tuple[list[Mapping[str, Any]], dict[str, str]]:
    """The speakers of a file with those that an import names, and the label of each that the import numbers.

    `speakers` are as `speakers_to_json` gives them, `names` are by the import's labels. A name that the file has
    already is the same speaker. Raises `EditFailed` beyond the largest number.
    """
    after = list(speakers)
    known = {shown_name(each["label"], each["name"]).casefold(): each["label"] for each in speakers}
    labels: dict[str, str] = {}
    for label, name in names.items():
        if name.casefold() not in known:
            if len(after) >= SPEAKERS_MAX:
                raise EditFailed(TOO_MANY_SPEAKERS)
            new = next_label([each["label"] for each in after])
            called = None if name == shown_name(new, None) else name
            empty = {"sample_start_ms": None, "sample_end_ms": None}
            after.append({"label": new, "name": called, "colour": (len(after)) % COLOURS, **empty})
            known[name.casefold()] = new
        labels[label] = known[name.casefold()]
    return after, labels
