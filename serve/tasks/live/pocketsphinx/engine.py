"""PocketSphinx while somebody speaks: the engine that always works, in English only.

Each utterance has a program of its own: the library holds Python's lock while it decodes, and one decoder holds one
utterance.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from serve.core.messages import EngineProblem, EngineRefused
from serve.tasks.live.engine import Step, StreamingEngine
from serve.tasks.live.messages import LiveSound, LiveText
from serve.tasks.live.pocketsphinx.info import live_info
from serve.tasks.live.pocketsphinx.means import Means
from serve.tasks.transcription.messages import Word
from serve.tasks.transcription.pocketsphinx.sentences import CRASHED, ENGLISH_ONLY, LANGUAGES
from serve.tasks.transcription.pocketsphinx.words import word_of

SPARE_PROGRAMS = 1
"""A program that waits for the next utterance: its start takes half a second."""
_PROGRAM = (sys.executable, "-m", "serve.tasks.live.pocketsphinx.program")
_PROJECT = Path(__file__).parents[4]


class LivePocketSphinx(StreamingEngine["_Utterance"]):
    def __init__(self, *, reason: str, parallel: int, max_utterances: int) -> None:
        super().__init__(live_info(reason), parallel=parallel, max_utterances=max_utterances)
        self._spare: list[_Program] = []
        self._programs = threading.Lock()
        self._means = Means()

    def begin(self, sound: LiveSound) -> _Utterance:
        with self._programs:
            program = self._spare.pop() if self._spare else _Program()
        return _Utterance(program, sound.stream, sound.start_ms, self._means.before(sound.stream, sound.start_ms))

    def advance(self, steps: Sequence[Step[_Utterance]]) -> list[LiveText | EngineRefused]:
        return [self._next(step) for step in steps]

    def end(self, utterance: _Utterance) -> None:
        program = utterance.program
        with self._programs:
            if program.is_reusable and len(self._spare) < SPARE_PROGRAMS:
                self._spare.append(program)
                return
        program.stop()

    def refusal(self, sound: LiveSound) -> EngineRefused | None:
        language = sound.options.language
        if language is None or language in LANGUAGES:
            return None
        return EngineRefused(EngineProblem.UNKNOWN_LANGUAGE, ENGLISH_ONLY(language=language))

    def close(self) -> None:
        super().close()
        with self._programs:
            spare, self._spare = self._spare, []
        for program in spare:
            program.stop()

    def _next(self, step: Step[_Utterance]) -> LiveText | EngineRefused:
        utterance = step.utterance
        try:
            words, mean = utterance.program.decode(step.pcm, utterance.mean, ends=step.is_last)
        except EngineRefused as refused:
            return refused
        if step.is_last:
            self._means.learn(utterance.stream, utterance.start_ms, mean)
        return LiveText(tuple(words))


@dataclass(frozen=True, slots=True)
class _Utterance:
    program: _Program
    stream: str
    start_ms: int
    mean: str
    """What its decoder starts from."""


class _Program:
    """One decoder program, for one utterance at a time."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            _PROGRAM, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=_PROJECT
        )
        self._is_open = False
        self._heard_ms = 0

    @property
    def is_reusable(self) -> bool:
        """Whether its utterance has ended and it runs."""
        return not self._is_open and self._process.poll() is None

    def decode(self, pcm: bytes, mean: str, *, ends: bool) -> tuple[list[Word], str]:
        """The words so far, and the mean that it has learnt. Raises EngineRefused when the program died."""
        reader, writer = self._process.stdout, self._process.stdin
        if reader is None or writer is None:
            raise RuntimeError("The decoder program has no pipes.")
        begins, self._is_open = not self._is_open, not ends
        self._heard_ms = len(pcm) // 32 + (0 if begins else self._heard_ms)
        head = {"begins": begins, "ends": ends, "bytes": len(pcm), "mean": mean}
        line = b""
        with suppress(BrokenPipeError):
            writer.write(json.dumps(head).encode() + b"\n" + pcm)
            writer.flush()
            line = reader.readline()
        if not line.endswith(b"\n"):
            self._is_open = True
            raise EngineRefused(EngineProblem.MODEL_FAILED, CRASHED)
        answer: dict[str, Any] = json.loads(line)
        words = (word_of(part, longest_ms=self._heard_ms) for part in answer["words"])
        return [word for word in words if word is not None], answer["mean"]

    def stop(self) -> None:
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
