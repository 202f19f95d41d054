"""What every Whisper engine does with a batch of windows, whatever library runs the model.

Windows of any files and languages share one call; windows that are silent never reach the model, and doubtful results
of a short context are decoded again with the full one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import structlog

from serve.core.messages import EngineInfo, EngineProblem, EngineRefused, WordTimes
from serve.tasks.transcription.audio import frame_levels, is_silent, samples
from serve.tasks.transcription.guard import Decoding
from serve.tasks.transcription.messages import MAX_WINDOW_MS, AudioWindow, LanguageGuess, WindowResult
from serve.tasks.transcription.sentences import UNSUPPORTED
from serve.tasks.transcription.whisper.context import FULL_MS, context_ms
from serve.tasks.transcription.whisper.segments import segments_of
from serve.tasks.transcription.whisper.timestamps import Stretch
from serve.tasks.transcription.whisper.tokens import Tokenizers
from serve.tasks.transcription.whisper.word_times import AlignedWord

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from serve.tasks.transcription.engine import WindowOutcome

log = structlog.get_logger(__name__)

SURE_OF_LANGUAGE = 0.5
"""Below this probability, a language detected with a short context is detected again with the full one."""


@dataclass(frozen=True, slots=True)
class Sound:
    """A window that holds sound: its samples, and their `frame_levels`."""

    window: AudioWindow
    wave: NDArray[np.float32]
    levels: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Recognized:
    """What the model recognised in one window: language with its probability, text, its parts, and words if wanted."""

    language: str
    language_probability: float
    decoding: Decoding
    stretches: Sequence[Stretch]
    words: Sequence[AlignedWord]


class WhisperWindows(ABC):
    """A Whisper engine without its model."""

    gains_from_batches = True
    has_deadline = False
    info: EngineInfo
    tokenizers: Tokenizers
    adaptive: bool
    """Whether short clips are encoded with a shorter context."""

    @abstractmethod
    def recognize(self, sounds: Sequence[Sound], context: int, *, retry: bool) -> list[Recognized]:
        """Decode windows with equal batch keys. With `retry`, those that fail the guard are decoded again."""

    @abstractmethod
    def guesses(self, wave: NDArray[np.float32], context: int) -> list[tuple[str, float]]:
        """Languages that a multilingual model detects, the likeliest first."""

    def batch_key(self, window: AudioWindow) -> Hashable:
        """A call has one beam, one length of audio, one list of terms and one temperature.

        CTranslate2 wants Whisper's start token at one place in all prompts of a call, so prompts of other lengths
        cannot share it. Windows without terms share calls as ever, and so do those of one glossary.
        """
        options = window.options
        terms = options.terms if self.info.takes_vocabulary else ()
        context = context_ms(window, adaptive=self.adaptive)
        return options.beam_size, options.word_times, context, terms, options.temperature

    def run(self, batch: Sequence[AudioWindow]) -> list[WindowOutcome]:
        outcomes: list[WindowOutcome | None] = [None] * len(batch)
        indexes, sounds = [], []
        for index, window in enumerate(batch):
            try:
                sound = self.checked(window)
            except EngineRefused as refused:
                outcomes[index] = refused
                continue
            if is_silent(sound.levels):
                language = window.options.language
                outcomes[index] = WindowResult(window.index, (), language or "", 1.0 if language else 0.0)
                continue
            indexes.append(index)
            sounds.append(sound)
        for index, result in zip(indexes, self._results(sounds), strict=True):
            outcomes[index] = result
        return [outcome for outcome in outcomes if outcome is not None]

    def detect(self, window: AudioWindow) -> LanguageGuess:
        sound = self.checked(window)
        if is_silent(sound.levels):
            return LanguageGuess(())
        if not self.tokenizers.is_multilingual:
            return LanguageGuess((("en", 0.0),))
        for context in dict.fromkeys((context_ms(window, adaptive=self.adaptive), FULL_MS)):
            guess = self.guesses(sound.wave, context)
            if guess[0][1] >= SURE_OF_LANGUAGE:
                break
        return LanguageGuess(tuple(guess))

    def checked(self, window: AudioWindow) -> Sound:
        language = window.options.language
        if language is not None and language not in self.info.languages:
            raise EngineRefused(
                EngineProblem.UNKNOWN_LANGUAGE,
                UNSUPPORTED(model=self.info.model, language=language),
            )
        wave = samples(window)
        return Sound(window, wave, frame_levels(wave))

    def _results(self, sounds: Sequence[Sound]) -> list[WindowResult]:
        """Results of windows with equal batch keys. Doubtful ones of a short context are decoded with the full one."""
        if not sounds:
            return []
        context = max(context_ms(sound.window, adaptive=self.adaptive) for sound in sounds)
        results, doubted = self._decode(sounds, context)
        if context < FULL_MS and doubted:
            again, _ = self._decode([sounds[index] for index in doubted], FULL_MS)
            for index, result in zip(doubted, again, strict=True):
                results[index] = result
            log.info("windows.decoded_in_full", windows=len(doubted), of=len(sounds), context_ms=context)
        return results

    def _decode(self, sounds: Sequence[Sound], context: int) -> tuple[list[WindowResult], list[int]]:
        """Results with this context, and the indexes of doubtful ones."""
        results, doubted = [], []
        # Other temperatures do not help where the context was too short.
        recognized = self.recognize(sounds, context, retry=context == FULL_MS)
        for index, (sound, found) in enumerate(zip(sounds, recognized, strict=True)):
            segments = segments_of(
                sound.window,
                found.decoding,
                found.stretches,
                found.words,
                levels=sound.levels,
                tokenizer=self.tokenizers.of(found.language),
            )
            probability = found.language_probability
            results.append(WindowResult(sound.window.index, segments, found.language, probability))
            unsure = probability < SURE_OF_LANGUAGE or not segments
            if unsure or found.decoding.doubts() or any(segment.doubts for segment in segments):
                doubted.append(index)
        return results, doubted


def whisper_info(
    engine: str,
    *,
    model: str,
    device: str,
    reason: str,
    tokenizers: Tokenizers,
    takes_vocabulary: bool,
) -> EngineInfo:
    """The capability record of a Whisper."""
    return EngineInfo(
        task="transcription",
        engine=engine,
        model=model,
        device=device,
        reason=reason,
        languages=frozenset(tokenizers.languages),
        detects_language=tokenizers.is_multilingual,
        word_times=WordTimes.ALIGNER,
        takes_vocabulary=takes_vocabulary,
        takes_temperature=True,
        window_ms=MAX_WINDOW_MS,
        is_batched=True,
    )
