"""What following a recording costs after hours, against its first minutes: processor time and memory."""

from __future__ import annotations

import os
import time
from concurrent.futures import Future
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.goals.live.talks import Talk
from cluster.storage.folder import LocalStorage
from pipelines.flows.live.flow import follow
from pipelines.media.sound.journal import PIECE_BYTES, PIECE_MS, write_end, write_piece
from pipelines.messages.attempt import Attempt, Progress
from pipelines.messages.live import LiveRequest
from serve.core.messages import EngineInfo
from serve.tasks.live.messages import LiveSound, LiveText
from serve.tasks.transcription.messages import TRANSCRIPTION, AudioWindow, LanguageGuess, WindowResult

COMPARED_MS = 600_000
"""Ten minutes at the beginning, after a first round of the talk, and as many at the end."""


@dataclass(slots=True)
class Drift:
    """Seconds of processor for a minute of the recording, and bytes of memory, early and late."""

    early_s: float
    late_s: float
    early_bytes: int
    late_bytes: int

    @property
    def percent(self) -> float:
        return 100 * (self.late_s / self.early_s - 1)


@dataclass(slots=True)
class _Watched:
    """A client that notes, with each piece, where the recording is and what was used until then."""

    live: Any
    marks: list[tuple[int, float, int]] = field(default_factory=list)

    def describe(self) -> EngineInfo:
        info: EngineInfo = self.live.describe()
        return info

    def submit(self, sound: LiveSound) -> Future[LiveText]:
        at_ms = sound.start_ms + sound.offset // 16
        if not self.marks or at_ms - self.marks[-1][0] >= 10_000:
            self.marks.append((at_ms, time.process_time(), _resident_bytes()))
        answer: Future[LiveText] = self.live.submit(sound)
        return answer


class _Deaf:
    """In place of the model that reads utterances again: it finds nothing, at once."""

    def describe(self) -> EngineInfo:
        return EngineInfo(TRANSCRIPTION, "deaf", "none", "cpu", "Bench.")

    def detect(self, window: AudioWindow) -> LanguageGuess:
        return LanguageGuess((("en", 1.0),))

    def submit(self, window: AudioWindow) -> Future[WindowResult]:
        found: Future[WindowResult] = Future()
        found.set_result(WindowResult(window.index, (), "en", 1.0))
        return found


def measure_drift(talk: Talk, hours: float, live: Any, work: Path) -> Drift:
    """Follow a talk that is said again and again, as fast as it goes."""
    storage, journal = LocalStorage(work / "objects"), "live/long"
    (work / "attempt").mkdir(parents=True)
    whole = talk.pcm[: len(talk.pcm) // PIECE_BYTES * PIECE_BYTES]
    count = round(hours * 3_600_000 / PIECE_MS)
    for number in range(count):
        at = number * PIECE_BYTES % len(whole)
        write_piece(storage, journal, number, whole[at : at + PIECE_BYTES], work / "piece")
    write_end(storage, journal, count, work / "end")
    watched = _Watched(live)
    request = LiveRequest(file_id="long", journal=journal, language="en-US")
    attempt = Attempt("long", 1, work / "attempt", "jobs/long/1")
    values = follow(request, attempt, storage=storage, live=watched, live_info=live.describe(), speech=_Deaf())
    with closing(values):
        for value in values:
            # What follows the last piece is the making of the file.
            if isinstance(value, Progress) and value.phase != "live":
                break
    return _compared(watched.marks, len(whole) // 32)


def _resident_bytes() -> int:
    """Memory of this process, which is also the engine's."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def _compared(marks: list[tuple[int, float, int]], round_ms: int) -> Drift:
    def nearest(at_ms: int) -> tuple[int, float, int]:
        return min(marks, key=lambda mark: abs(mark[0] - at_ms))

    span = max(1, COMPARED_MS // round_ms) * round_ms
    last = marks[-1][0] // round_ms * round_ms
    early = nearest(round_ms), nearest(round_ms + span)
    late = nearest(last - span), nearest(last)

    def a_minute(first: tuple[int, float, int], second: tuple[int, float, int]) -> float:
        return (second[1] - first[1]) / (second[0] - first[0]) * 60_000

    return Drift(a_minute(*early), a_minute(*late), early[1][2], late[1][2])
