"""`python -m benchmarks live`: from the end of a word to the moment it can be read, and what changes afterwards."""

from __future__ import annotations

import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from benchmarks.goals.report import Report
from benchmarks.quiet import silence_logs
from cluster.storage.folder import LocalStorage
from pipelines.evidence.errors import WordErrors, word_errors
from pipelines.flows.live.flow import follow
from pipelines.media.sample import SAMPLE_TEXT
from pipelines.media.sound.journal import PIECE_BYTES, PIECE_MS, write_end, write_piece
from pipelines.messages.attempt import Attempt, Chunk, Interim
from pipelines.messages.live import LiveOutlook, LiveRequest, LiveWords
from pipelines.messages.results import TranscribedWindow
from serve.core.in_process import InProcessModel
from serve.core.settings import ModelSettings
from serve.core.text.words import words as words_in
from serve.profile import load_profile
from serve.tasks.live.load import load_live
from serve.tasks.live.messages import LiveSound, LiveText
from serve.tasks.live.pocketsphinx.engine import LivePocketSphinx
from serve.tasks.live.profile import LiveProfile
from serve.tasks.live.task import LIVE_TASK
from serve.tasks.transcription.in_process import InProcessTranscriber
from serve.tasks.transcription.messages import SAMPLE_RATE
from serve.tasks.transcription.profile import TranscriptionProfile
from serve.testing.sound import read

LANGUAGE = "en-US"
VOICES = ("rms", "slt")
TEXT = " ".join(SAMPLE_TEXT)
PAUSE_S = 0.9


@dataclass(slots=True)
class Shown:
    """What one stream gave: when words were first shown, when they were final, and which of them changed."""

    shown_ms: list[float] = field(default_factory=list)
    final_ms: list[float] = field(default_factory=list)
    words: int = 0
    changed: int = 0
    rewritten: int = 0
    """Final words that came again, or out of order."""
    live: list[str] = field(default_factory=list)
    read_again: list[str] = field(default_factory=list)


def command(
    streams: Annotated[int, typer.Option(min=1, help="Recordings at once.")] = 4,
    rounds: Annotated[int, typer.Option(min=1, help="How often each speaker says the text.")] = 4,
) -> None:
    silence_logs()
    report = Report("live")
    with tempfile.TemporaryDirectory(prefix="live-") as folder:
        work = Path(folder)
        spoken = [_sound(work, voice, rounds) for voice in VOICES]
        results = _run([spoken[index % len(spoken)] for index in range(streams)], work)
        alone_s = _bare(spoken[0])
    seconds = len(spoken[0]) / 2 / SAMPLE_RATE
    shown = [ms for each in results for ms in each.shown_ms]
    final = [ms for each in results for ms in each.final_ms]
    words, changed = sum(each.words for each in results), sum(each.changed for each in results)
    report.goal("36-after", sum(each.rewritten for each in results), words=words)
    report.figure("word end to shown, median", float(np.median(shown)), "ms", streams=streams, words=len(shown))
    report.figure("word end to shown, p95", float(np.percentile(shown, 95)), "ms")
    report.figure("word end to final, median", float(np.median(final)), "ms", streams=streams, words=len(final))
    report.figure("word end to final, p95", float(np.percentile(final, 95)), "ms")
    report.figure("words that change before they are final", 100 * changed / max(1, words), "%", words=words)
    truth = " ".join([TEXT] * rounds)
    heard = {"live": [_errors(truth, each.live) for each in results]}
    heard["read again"] = [_errors(truth, each.read_again) for each in results]
    for name, errors in heard.items():
        report.figure(f"word errors, {name}", WordErrors.sum(errors).percent, "%")
    report.figure("streams that the bare engine follows on a core", seconds / alone_s, "streams")
    report.note(
        f"{streams} recordings of {seconds:.0f} s at the pace of speech, by flite's voices, the built-in engine and "
        "two readings of everything: live, and after each pause. A word's end is where the engine puts it. The "
        "flow runs in this process, without database, relay and browser."
    )
    report.note("The goals for delay and change are stated for a small streaming model, which is not here yet.")
    report.write()


def _sound(work: Path, voice: str, rounds: int) -> bytes:
    said = work / f"{voice}.wav"
    subprocess.run(["flite", "-voice", voice, "-t", TEXT, "-o", said], check=True)
    once = np.concatenate([read(said), np.zeros(round(PAUSE_S * SAMPLE_RATE), np.int16)])
    pcm = np.tile(once, rounds).astype("<i2").tobytes()
    return pcm


def _run(sounds: Sequence[bytes], work: Path) -> list[Shown]:
    profile = load_profile("embedded")
    section = profile.get(LiveProfile) or LiveProfile()
    speech_section = profile.require(TranscriptionProfile)
    results = [Shown() for _ in sounds]
    with (
        closing(InProcessModel(LIVE_TASK, section, lambda: load_live(section))) as live,
        closing(InProcessTranscriber(speech_section, ModelSettings(), work / "no models")) as speech,
    ):
        # Both are loaded before anybody speaks.
        live.describe()
        speech.describe()
        threads = [
            threading.Thread(target=_follow, args=(index, sound, work / str(index), live, speech, results[index]))
            for index, sound in enumerate(sounds)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    return results


def _follow(index: int, sound: bytes, work: Path, live: Any, speech: Any, into: Shown) -> None:
    storage = LocalStorage(work / "objects")
    (work / "attempt").mkdir(parents=True)
    request = LiveRequest(file_id=str(index), journal=f"live/{index}", language=LANGUAGE)
    attempt = Attempt(f"recording {index}", 1, work / "attempt", f"jobs/{index}/1")
    began = time.monotonic()
    speaker = threading.Thread(target=_speak, args=(sound, storage, request.journal, work, began))
    speaker.start()
    first: dict[int, tuple[str, float]] = {}
    final_until_ms = 0
    for value in follow(request, attempt, storage=storage, live=live, live_info=live.describe(), speech=speech):
        now_ms = (time.monotonic() - began) * 1000
        if isinstance(value, Interim) and isinstance(value.payload, LiveOutlook):
            for at, text in enumerate(value.payload.text.split(), into.words):
                first.setdefault(at, (text, now_ms))
        elif isinstance(value, Chunk) and isinstance(value.payload, LiveWords):
            for word in value.payload.words:
                text, shown_ms = first.get(into.words, (word.text, now_ms))
                into.shown_ms.append(shown_ms - word.end_ms)
                into.final_ms.append(now_ms - word.end_ms)
                into.changed += words_in(text) != words_in(word.text)
                into.rewritten += word.end_ms < final_until_ms
                final_until_ms = max(final_until_ms, word.end_ms)
                into.words += 1
                into.live.append(word.text)
        elif isinstance(value, Chunk) and isinstance(value.payload, TranscribedWindow):
            into.read_again += [segment.text for segment in value.payload.segments]
    speaker.join()


def _speak(sound: bytes, storage: LocalStorage, journal: str, work: Path, began: float) -> None:
    """Write each piece when its last sample has been said."""
    pieces = range(0, len(sound), PIECE_BYTES)
    for number, at in enumerate(pieces):
        time.sleep(max(0.0, began + (number + 1) * PIECE_MS / 1000 - time.monotonic()))
        write_piece(storage, journal, number, sound[at : at + PIECE_BYTES], work / "piece")
    write_end(storage, journal, len(pieces), work / "end")


def _bare(sound: bytes) -> float:
    """Seconds that the engine alone takes for the same sound, piece by piece, as one utterance after the other."""
    with closing(LivePocketSphinx(reason="Bench.", parallel=1, max_utterances=1)) as engine:
        begun = time.perf_counter()
        for piece in _pieces(sound):
            (outcome,) = engine.run([piece])
            assert isinstance(outcome, LiveText)
        return time.perf_counter() - begun


def _pieces(sound: bytes) -> Iterator[LiveSound]:
    longest = 28 * SAMPLE_RATE * 2
    for start in range(0, len(sound), longest):
        utterance = sound[start : start + longest]
        for at in range(0, len(utterance), PIECE_BYTES):
            pcm = utterance[at : at + PIECE_BYTES]
            yield LiveSound("bare", 0, at // 2, pcm, is_last=at + PIECE_BYTES >= len(utterance))


def _errors(truth: str, heard: Sequence[str]) -> WordErrors:
    return word_errors(truth, " ".join(heard), LANGUAGE)
