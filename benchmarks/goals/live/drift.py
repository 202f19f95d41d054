"""What following a recording costs after hours, against a new one: processor time and memory."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
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
"""Ten minutes of the recording, after a first round of the talk."""
Mark = tuple[int, float, int]
"""Where the recording is in milliseconds, seconds of processor until then, and bytes of memory."""


@dataclass(frozen=True, slots=True)
class Drift:
    """Seconds of processor for a minute of a new recording, and of one after hours; and memory, early and late.

    The new one is followed right after the other's last minutes: a machine that others use is as fast in both.
    """

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
    marks: list[Mark] = field(default_factory=list)

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
    """Follow a talk that is said again and again, as fast as it goes: for hours, and then anew."""
    round_ms = len(talk.pcm) // PIECE_BYTES * PIECE_MS
    span_ms = max(1, COMPARED_MS // round_ms) * round_ms
    long = _followed(talk, round(hours * 3_600_000), live, work / "long")
    new = _followed(talk, 2 * round_ms + span_ms, live, work / "new")
    end_ms = long[-1][0] // round_ms * round_ms
    return Drift(
        early_s=_a_minute(new, round_ms, round_ms + span_ms),
        late_s=_a_minute(long, end_ms - span_ms, end_ms),
        early_bytes=_nearest(long, round_ms + span_ms)[2],
        late_bytes=long[-1][2],
    )


def _followed(talk: Talk, length_ms: int, live: Any, work: Path) -> list[Mark]:
    storage, journal = LocalStorage(work / "objects"), f"live/{work.name}"
    (work / "attempt").mkdir(parents=True)
    whole = talk.pcm[: len(talk.pcm) // PIECE_BYTES * PIECE_BYTES]
    count = length_ms // PIECE_MS
    for number in range(count):
        at = number * PIECE_BYTES % len(whole)
        write_piece(storage, journal, number, whole[at : at + PIECE_BYTES], work / "piece")
    write_end(storage, journal, count, work / "end")
    watched = _Watched(live)
    request = LiveRequest(file_id=work.name, journal=journal, language="en-US")
    attempt = Attempt(work.name, 1, work / "attempt", f"jobs/{work.name}/1")
    values = follow(request, attempt, storage=storage, live=watched, live_info=live.describe(), speech=_Deaf())
    with closing(values):
        for value in values:
            # What follows the last piece is the making of the file.
            if isinstance(value, Progress) and value.phase != "live":
                break
    return watched.marks


def _resident_bytes() -> int:
    """Memory of this process, which is also the engine's."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def _nearest(marks: Sequence[Mark], at_ms: int) -> Mark:
    return min(marks, key=lambda mark: abs(mark[0] - at_ms))


def _a_minute(marks: Sequence[Mark], first_ms: int, last_ms: int) -> float:
    """Seconds of processor for a minute of the recording between two times of it."""
    first, last = _nearest(marks, first_ms), _nearest(marks, last_ms)
    return (last[1] - first[1]) / (last[0] - first[0]) * 60_000
