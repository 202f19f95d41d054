"""The journal of a live recording: its sound in storage, piece by piece, while it is made.

Every piece is `PIECE_MS` long, so that its number says when it was spoken. The web process writes a piece and then
acknowledges it; the flow reads the pieces in order. The last object says how many there are.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from cluster.storage.objects import Storage
from serve.tasks.transcription.messages import SAMPLE_RATE

PIECE_MS = 500
"""Half of a second: a word waits for the end of its piece before anybody can read it."""
PIECE_SAMPLES = SAMPLE_RATE * PIECE_MS // 1000
PIECE_BYTES = 2 * PIECE_SAMPLES
LOOK_EVERY_S = 0.1
"""How often the next piece is looked for. In a bucket each look is a request."""
REST_S = 0.3
"""After a piece that was waited for, the next one cannot be there yet."""
LOOK_FOR_END_S = 0.5


def journal_of(file_id: object) -> str:
    """The folder of a file's journal."""
    return f"live/{file_id}"


def piece_key(journal: str, number: int) -> str:
    return f"{journal}/{number:08}.pcm"


def end_key(journal: str) -> str:
    return f"{journal}/end.json"


def write_piece(storage: Storage, journal: str, number: int, pcm: bytes, work: Path) -> None:
    """Keep a piece durably; a shorter last one is filled up with silence. `work` is a path for a temporary file."""
    _put(storage, pcm.ljust(PIECE_BYTES, b"\0"), piece_key(journal, number), work)


def write_end(storage: Storage, journal: str, pieces: int, work: Path) -> None:
    """Say that no piece follows. Writing it again changes nothing."""
    _put(storage, json.dumps({"pieces": pieces}).encode(), end_key(journal), work)


def _put(storage: Storage, content: bytes, key: str, work: Path) -> None:
    work.parent.mkdir(parents=True, exist_ok=True)
    work.write_bytes(content)
    storage.put(work, key)


class Journal:
    """Reads the pieces in order, each once. Use it in one thread."""

    def __init__(self, storage: Storage, folder: str, now: Callable[[], float]) -> None:
        self.read = 0
        """How many pieces have been read."""
        self._storage = storage
        self._folder = folder
        self._now = now
        self._pieces: int | None = None
        self._next_at = 0.0
        self._end_look_at = 0.0
        self._has_waited = False

    def next(self) -> bytes | None:
        """The next piece, or None where it is not there yet or the journal has ended."""
        if self.is_read or self._now() < self._next_at:
            return None
        piece = self._piece()
        if piece is None and self._has_ended():
            # The last piece may have come between the two looks.
            piece = None if self.is_read else self._piece()
        if piece is None:
            self._next_at = self._now() + LOOK_EVERY_S
        else:
            self.read += 1
            self._next_at = self._now() + REST_S if self._has_waited else 0.0
        self._has_waited = piece is None
        return piece

    def _has_ended(self) -> bool:
        """Whether it is known just now how many pieces there are."""
        if self._pieces is not None or self._now() < self._end_look_at:
            return False
        self._end_look_at = self._now() + LOOK_FOR_END_S
        end = self._object(end_key(self._folder))
        if end is not None:
            self._pieces = int(json.loads(end)["pieces"])
        return end is not None

    @property
    def is_read(self) -> bool:
        """Whether everything that will ever be in it has been read."""
        return self._pieces is not None and self.read >= self._pieces

    def _piece(self) -> bytes | None:
        return self._object(piece_key(self._folder, self.read))

    def _object(self, key: str) -> bytes | None:
        try:
            return b"".join(self._storage.read(key))
        except FileNotFoundError:
            return None
