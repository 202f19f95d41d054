"""Follows recordings at the pace of speech, and notes when each word was shown and when it was final."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from benchmarks.goals.live.talks import Talk
from cluster.storage.folder import LocalStorage
from pipelines.evidence.errors import WordErrors, word_errors
from pipelines.flows.live.flow import follow
from pipelines.media.sound.journal import PIECE_BYTES, PIECE_MS, write_end, write_piece
from pipelines.messages.attempt import Attempt, Chunk, Interim
from pipelines.messages.live import LiveOutlook, LiveRequest, LiveWords
from pipelines.messages.results import TranscribedWindow
from serve.core.text.words import words as words_in
from serve.tasks.transcription.messages import Word

LANGUAGE = "en-US"


@dataclass(frozen=True, slots=True)
class Shown:
    """A final word, and milliseconds of the recording's clock: when people first saw a word there, and this one."""

    word: Word
    shown_ms: float
    final_ms: float
    has_changed: bool


@dataclass(slots=True)
class Followed:
    """What one recording gave. `rewritten` counts final words that came again, or out of order."""

    live: list[Shown] = field(default_factory=list)
    read_again: list[Word] = field(default_factory=list)
    rewritten: int = 0

    def delays(self, talk: Talk) -> tuple[list[float], list[float]]:
        """From the true end of each word that was heard right to the moment it was shown, and was final."""
        said, shown = talk.words, self.live
        texts = [_plain(each.text) for each in said], [_plain(each.word.text) for each in shown]
        blocks = SequenceMatcher(None, *texts, autojunk=False).get_matching_blocks()
        pairs = [(said[each.a + at], shown[each.b + at]) for each in blocks for at in range(each.size)]
        return [one.shown_ms - word.end_ms for word, one in pairs], [one.final_ms - word.end_ms for word, one in pairs]


def errors_by_sentence(talk: Talk, heard: Sequence[Word]) -> list[WordErrors]:
    """Word errors of each sentence; a word belongs to the sentence that was spoken in its middle."""
    texts: list[list[str]] = [[] for _ in talk.sentences]
    for word in heard:
        texts[talk.sentence_at((word.start_ms + word.end_ms) // 2)].append(word.text)
    return [
        word_errors(" ".join(word.text for word in said), " ".join(text), LANGUAGE)
        for said, text in zip(talk.sentences, texts, strict=True)
    ]


def follow_all(talks: Sequence[Talk], work: Path, live: Any, speech: Any) -> list[Followed]:
    """All at once, each at the pace of speech."""
    results = [Followed() for _ in talks]
    threads = [
        threading.Thread(target=_follow, args=(index, talk, work / f"talk {index}", live, speech, results[index]))
        for index, talk in enumerate(talks)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def _follow(index: int, talk: Talk, work: Path, live: Any, speech: Any, into: Followed) -> None:
    storage = LocalStorage(work / "objects")
    (work / "attempt").mkdir(parents=True)
    request = LiveRequest(file_id=str(index), journal=f"live/{index}", language=LANGUAGE)
    attempt = Attempt(f"{work.parent.name} {index}", 1, work / "attempt", f"jobs/{index}/1")
    began = time.monotonic()
    speaker = threading.Thread(target=_speak, args=(talk.pcm, storage, request.journal, work, began))
    speaker.start()
    first: dict[int, tuple[str, float]] = {}
    final_until_ms = 0
    for value in follow(request, attempt, storage=storage, live=live, live_info=live.describe(), speech=speech):
        now_ms = (time.monotonic() - began) * 1000
        if isinstance(value, Interim) and isinstance(value.payload, LiveOutlook):
            for at, text in enumerate(value.payload.text.split(), len(into.live)):
                first.setdefault(at, (text, now_ms))
        elif isinstance(value, Chunk) and isinstance(value.payload, LiveWords):
            for word in value.payload.words:
                text, shown_ms = first.get(len(into.live), (word.text, now_ms))
                into.live.append(Shown(word, shown_ms, now_ms, words_in(text) != words_in(word.text)))
                into.rewritten += word.end_ms < final_until_ms
                final_until_ms = max(final_until_ms, word.end_ms)
        elif isinstance(value, Chunk) and isinstance(value.payload, TranscribedWindow):
            into.read_again += [word for segment in value.payload.segments for word in segment.words]
    speaker.join()


def _speak(sound: bytes, storage: LocalStorage, journal: str, work: Path, began: float) -> None:
    """Write each piece when its last sample has been said."""
    pieces = range(0, len(sound), PIECE_BYTES)
    for number, at in enumerate(pieces):
        time.sleep(max(0.0, began + (number + 1) * PIECE_MS / 1000 - time.monotonic()))
        write_piece(storage, journal, number, sound[at : at + PIECE_BYTES], work / "piece")
    write_end(storage, journal, len(pieces), work / "end")


def _plain(text: str) -> str:
    return " ".join(words_in(text))
