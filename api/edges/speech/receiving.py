"""Read a multipart body as it arrives: fields into memory, the file to disk.

FastAPI would read the whole body before it looks at the key, and into a temporary file that storage cannot take over.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, cast

from fastapi import Request
from python_multipart.exceptions import MultipartParseError
from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.requests import ClientDisconnect

from api.edges.speech.errors import BadCall
from api.edges.speech.limits import FIELD_BYTES_MAX, FIELDS_MAX, FORM_BYTES_MAX, REFERENCE_CHARS_MAX, REFERENCES_MAX
from api.platform.http.errors import TooLarge, TooSlow
from api.platform.http.limits import BODY_WINDOW_BYTES, BODY_WINDOW_S

if TYPE_CHECKING:
    from python_multipart.multipart import MultipartCallbacks

FILE = "file"
REFERENCES = "known_speaker_references"
NOT_A_FORM = "Send the file and the fields as multipart/form-data."
BROKEN_FORM = "The body ends early or is not a form. Send it again as multipart/form-data."
NO_FILE = "The file is missing. Send it in the field `file`."
TOO_MANY_FIELDS = "There are too many fields, or one is too long."


@dataclass(slots=True)
class ReceivedForm:
    """`size` is that of the file in bytes; None without one."""

    fields: dict[str, list[str]] = field(default_factory=dict)
    size: int | None = None


async def receive_form(request: Request, target: Path, *, limit: int) -> ReceivedForm:
    """Read the body of a request, its file into `target`. `limit`: the largest file in bytes.

    Raises `BadCall`, `TooLarge` and `TooSlow`, and Starlette's `ClientDisconnect`.
    """
    kind, options = parse_options_header(request.headers.get("content-type", ""))
    boundary = options.get(b"boundary")
    if kind != b"multipart/form-data" or not boundary:
        raise BadCall(NOT_A_FORM)
    announced = request.headers.get("content-length", "0")
    if not announced.isdigit() or int(announced) > limit + FORM_BYTES_MAX + REFERENCES_MAX * REFERENCE_CHARS_MAX:
        raise TooLarge(limit)
    with await asyncio.to_thread(target.open, "wb") as opened:
        parts = _Parts(cast(BinaryIO, opened), limit)
        try:
            parser = MultipartParser(boundary, parts.callbacks())
            await _feed(request, parser, parts)
            parser.finalize()
        except MultipartParseError:
            raise BadCall(BROKEN_FORM) from None
    if not parts.is_whole:
        raise BadCall(BROKEN_FORM)
    if not parts.received.size:
        raise BadCall.field(FILE, NO_FILE)
    return parts.received


async def _feed(request: Request, parser: MultipartParser, parts: _Parts) -> None:
    """Pass the body on. Each `BODY_WINDOW_S` must bring at least `BODY_WINDOW_BYTES`."""
    loop = asyncio.get_running_loop()
    window_end, window_bytes = loop.time() + BODY_WINDOW_S, 0
    has_more = True
    while has_more:
        chunk = b""
        with suppress(TimeoutError):
            async with asyncio.timeout_at(window_end):
                message = await request.receive()
            if message["type"] == "http.disconnect":
                raise ClientDisconnect
            chunk, has_more = message.get("body", b""), message.get("more_body", False)
        window_bytes += len(chunk)
        if loop.time() >= window_end:
            if has_more and window_bytes < BODY_WINDOW_BYTES:
                raise TooSlow(headers={"Connection": "close"})
            window_end, window_bytes = loop.time() + BODY_WINDOW_S, 0
        parser.write(chunk)
        await parts.flush()


class _Parts:
    """Collects what the parser finds. The parser calls it while it reads; `flush` then writes to disk."""

    def __init__(self, target: BinaryIO, limit: int) -> None:
        self.received = ReceivedForm()
        self.is_whole = False
        self._target = target
        self._limit = limit
        self._header = [bytearray(), bytearray()]
        self._name = ""
        self._is_file = False
        self._longest = FIELD_BYTES_MAX
        self._buffer = bytearray()
        self._fields = 0

    def callbacks(self) -> MultipartCallbacks:
        return {
            "on_part_begin": self._begin,
            "on_header_field": lambda data, start, end: self._header[0].extend(data[start:end]),
            "on_header_value": lambda data, start, end: self._header[1].extend(data[start:end]),
            "on_header_end": self._end_header,
            "on_part_data": self._data,
            "on_part_end": self._end,
            "on_end": self._finish,
        }

    async def flush(self) -> None:
        if self._is_file and self._buffer:
            piece, self._buffer = self._buffer, bytearray()
            await asyncio.to_thread(self._target.write, piece)

    def _begin(self) -> None:
        self._name, self._is_file = "", False

    def _end_header(self) -> None:
        name, value = bytes(self._header[0]), bytes(self._header[1])
        self._header = [bytearray(), bytearray()]
        if name.lower() != b"content-disposition":
            return
        _, options = parse_options_header(value)
        self._name = options.get(b"name", b"").decode("utf-8", "replace")
        # A second file counts as a field, which is too long.
        self._longest = REFERENCE_CHARS_MAX if self._is_reference() else FIELD_BYTES_MAX
        self._is_file = self._name == FILE and self.received.size is None
        if self._is_file:
            self.received.size = 0

    def _is_reference(self) -> bool:
        sent = self.received.fields.get(self._name, ())
        return self._name.removesuffix("[]") == REFERENCES and len(sent) < REFERENCES_MAX

    def _data(self, data: bytes, start: int, end: int) -> None:
        self._buffer += data[start:end]
        if self._is_file:
            self.received.size = (self.received.size or 0) + end - start
            if self.received.size > self._limit:
                raise TooLarge(self._limit)
        elif len(self._buffer) > self._longest:
            raise BadCall(TOO_MANY_FIELDS)

    def _end(self) -> None:
        if self._is_file:
            # Only here, where the file ends inside a piece of the body, is it written in the loop: at most one piece.
            self._target.write(self._buffer)
        else:
            self._fields += 1
            if self._fields > FIELDS_MAX:
                raise BadCall(TOO_MANY_FIELDS)
            self.received.fields.setdefault(self._name, []).append(self._buffer.decode("utf-8", "replace"))
        self._buffer.clear()
        self._is_file = False

    def _finish(self) -> None:
        self.is_whole = True
