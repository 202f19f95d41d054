"""A streaming model of any of sherpa-onnx's families on the CPU: it reads each piece of sound once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cluster.privacy import keep_private
from serve.core.messages import EngineProblem, EngineRefused
from serve.core.text.words import with_capital_i
from serve.tasks.live.engine import Step, StreamingEngine
from serve.tasks.live.messages import LiveSound, LiveText
from serve.tasks.live.sherpa.decoding import decode, feed
from serve.tasks.live.sherpa.family import StreamingFamily
from serve.tasks.live.sherpa.trial import try_streaming
from serve.tasks.transcription.audio import floats
from serve.tasks.transcription.messages import Word
from serve.tasks.transcription.sentences import UNSUPPORTED
from serve.tasks.transcription.sherpa.problems import FAILS, UnusableModel
from serve.tasks.transcription.sherpa.words import pieces_of, words_of

if TYPE_CHECKING:
    from serve.core.messages import EngineInfo

GROWS_MS = 600
"""The last word is shown after so much silence: until then, more pieces of it may come."""


@dataclass(slots=True)
class _Talk:
    """An utterance and how much of it has been heard."""

    stream: Any
    heard_ms: int = 0


class LiveSherpa(StreamingEngine[_Talk]):
    """One loaded model. All utterances that have new sound share each call of it.

    A word is final once another one follows it: greedy decoding never changes what it has written.
    """

    gains_from_batches = True

    def __init__(
        self, family: StreamingFamily, folder: Path, *, name: str, reason: str, threads: int, max_utterances: int
    ) -> None:
        """Raises UnusableModel for files that the runtime does not take, which is tried in another process first."""
        keep_private()
        model = family.open(folder)
        self._window_ms = family.window_ms(model)
        try_streaming(family.name, folder)
        try:
            self._recognizer: Any = family.recognizer(model, threads)
        except RuntimeError as failure:
            raise UnusableModel(FAILS(failure=str(failure))) from failure
        info: EngineInfo = family.info(model, name, reason)
        super().__init__(info, parallel=1, max_utterances=max_utterances)

    def begin(self, sound: LiveSound) -> _Talk:
        return _Talk(self._recognizer.create_stream())

    def advance(self, steps: Sequence[Step[_Talk]]) -> list[LiveText | EngineRefused]:
        for step in steps:
            wave = floats(step.pcm)
            step.utterance.heard_ms += len(wave) // 16
            feed(step.utterance.stream, wave, is_last=step.is_last, window_ms=self._window_ms)
        decode(self._recognizer, [step.utterance.stream for step in steps])
        return [self._text(step.utterance, is_last=step.is_last) for step in steps]

    def end(self, utterance: _Talk) -> None:
        """The stream ends with its last reference."""

    def refusal(self, sound: LiveSound) -> EngineRefused | None:
        language, known = sound.options.language, self.info.languages
        if language is None or language in known:
            return None
        return EngineRefused(
            EngineProblem.UNKNOWN_LANGUAGE, UNSUPPORTED(model=Path(self.info.model).name, language=language)
        )

    def close(self) -> None:
        super().close()
        self._recognizer = None

    def _cased(self, text: str) -> str:
        """Models without punctuation may write capitals alone, which nobody wants to read."""
        if self.info.punctuates or not text.isupper():
            return text
        return with_capital_i(text.lower()) if "en" in self.info.languages else text.lower()

    def _text(self, talk: _Talk, *, is_last: bool) -> LiveText:
        result = self._recognizer.get_result_all(talk.stream)
        pieces = pieces_of(result.tokens, _starts_s(result), (), result.ys_probs)
        words = tuple(
            Word(each.start_ms, each.end_ms, self._cased(each.text), min(1.0, math.exp(each.log_probability)))
            for each in words_of(pieces, start_ms=0, duration_ms=talk.heard_ms)
        )
        if is_last:
            return LiveText(words, final=len(words))
        has_ended = bool(words) and talk.heard_ms - words[-1].end_ms >= GROWS_MS
        return LiveText(words if has_ended else words[:-1], final=max(0, len(words) - 1))


def _starts_s(result: Any) -> list[float]:
    """When each piece begins. The runtime leaves `<unk>` out of the pieces and keeps its time, so there may be more."""
    times, count = list(result.timestamps), len(result.tokens)
    return times if len(times) == count else [times[at * len(times) // count] for at in range(count)]
