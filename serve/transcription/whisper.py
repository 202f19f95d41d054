"""Whisper by CTranslate2, batched across files: windows of any files and languages share one model call.

This is built below faster-whisper's `BatchedInferencePipeline`, which serves one file with one prompt at a time and
never retries a failed window.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import structlog

from serve.messages import EngineInfo, EngineProblem, EngineRefused, WordTimes
from serve.models import MODEL_FILE
from serve.processor import use_avx512
from serve.speech_messages import AudioWindow, LanguageGuess, WindowResult
from serve.transcription.audio import frame_levels, is_silent, samples
from serve.transcription.context import FULL_MS, context_ms
from serve.transcription.encoding import encode
from serve.transcription.whisper_decoding import WhisperDecoder
from serve.transcription.whisper_segments import segments_of, stretches_of
from serve.transcription.whisper_words import align

if TYPE_CHECKING:
    import numpy as np
    from faster_whisper import WhisperModel
    from numpy.typing import NDArray

    from serve.transcription.engine import WindowOutcome

log = structlog.get_logger(__name__)

SURE_OF_LANGUAGE = 0.5
"""Below this probability, a language detected with a short context is detected again with the full one."""


@dataclass(frozen=True, slots=True)
class _Sound:
    """A window that holds sound: its samples, and their `frame_levels`."""

    window: AudioWindow
    wave: NDArray[np.float32]
    levels: NDArray[np.float32]


class WhisperEngine:
    """One loaded Whisper model."""

    gains_from_batches = True

    def __init__(
        self,
        folder: Path,
        *,
        name: str,
        reason: str,
        device: str,
        compute_type: str,
        parallel: int = 1,
        adaptive: bool = True,
        avx512: bool = True,
        threads: int = 1,
        beam_size: int = 1,
    ) -> None:
        """`adaptive` encodes short clips with a shorter context; `avx512` applies where the processor has it.

        `threads` are those of one call, and `beam_size` the least number of beams of every window.
        """
        if avx512:
            use_avx512()
        from faster_whisper import WhisperModel

        # A spare worker's call shares the cores with the running ones; on a GPU they would only queue.
        self.spare_workers = 1 if device == "cpu" else 0
        # By default one thread for each model call and one call for each core: two threads in one call wait for each
        # other.
        self.model: WhisperModel = WhisperModel(
            str(folder),
            device=device,
            compute_type=compute_type,
            cpu_threads=threads,
            num_workers=parallel + self.spare_workers,
        )
        self.parallel = parallel
        self.adaptive = adaptive
        self._decoder = WhisperDecoder(self.model, beam_size=beam_size)
        languages = frozenset(filter(self._knows, self.model.supported_languages))
        self.size_bytes = (folder / MODEL_FILE).stat().st_size
        is_multilingual = bool(self.model.model.is_multilingual)
        self.info = EngineInfo(
            task="transcription",
            engine="whisper",
            model=name,
            device=device,
            reason=reason,
            languages=languages,
            detects_language=is_multilingual,
            word_times=WordTimes.ALIGNER,
            takes_vocabulary=True,
            window_ms=30_000,
            is_batched=True,
        )

    def batch_key(self, window: AudioWindow) -> Hashable:
        """CTranslate2 takes one beam and one length of audio in a call."""
        options = window.options
        return options.beam_size, options.word_times, context_ms(window, adaptive=self.adaptive)

    def run(self, batch: Sequence[AudioWindow]) -> list[WindowOutcome]:
        outcomes: list[WindowOutcome | None] = [None] * len(batch)
        indexes, sounds = [], []
        for index, window in enumerate(batch):
            try:
                sound = self._checked(window)
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
        sound = self._checked(window)
        if is_silent(sound.levels):
            return LanguageGuess(())
        if not self.model.model.is_multilingual:
            return LanguageGuess((("en", 0.0),))
        for context in dict.fromkeys((context_ms(window, adaptive=self.adaptive), FULL_MS)):
            guess = self._decoder.guesses(encode(self.model, [sound.wave], context_ms=context), [0])[0]
            if guess[0][1] >= SURE_OF_LANGUAGE:
                break
        return LanguageGuess(tuple(guess))

    @property
    def is_loaded(self) -> bool:
        return bool(self.model.model.model_is_loaded)

    def load(self) -> None:
        """Bring the model back into memory after `unload`; takes a second for each GB."""
        self.model.model.load_model()

    def unload(self) -> None:
        """Free the model's memory. No call may be under way."""
        self.model.model.unload_model()

    def rest(self) -> None:
        """Nothing to free: it is in use all the time, or its owner unloads it."""

    def close(self) -> None:
        self.model.model.unload_model()

    def _checked(self, window: AudioWindow) -> _Sound:
        language = window.options.language
        if language is not None and language not in self.info.languages:
            raise EngineRefused(
                EngineProblem.UNKNOWN_LANGUAGE,
                f"The speech model “{self.info.model}” does not support the language “{language}”.",
            )
        wave = samples(window)
        return _Sound(window, wave, frame_levels(wave))

    def _results(self, sounds: Sequence[_Sound]) -> list[WindowResult]:
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

    def _decode(self, sounds: Sequence[_Sound], context: int) -> tuple[list[WindowResult], list[int]]:
        """Results with this context, and the indexes of doubtful ones."""
        windows = [sound.window for sound in sounds]
        encoded = encode(self.model, [sound.wave for sound in sounds], context_ms=context)
        languages = self._decoder.languages(windows, encoded)
        codes = [code for code, _ in languages]
        # Other temperatures do not help where the context was too short.
        decodings = self._decoder.decodings(encoded, windows, codes, retry=context == FULL_MS)
        stretches = [stretches_of(one, self._decoder.tokenizer("en")) for one in decodings]
        aligned = (
            align(self.model, self._decoder.tokenizer, encoded, codes, stretches, windows)
            if windows[0].options.word_times
            else [[] for _ in windows]
        )
        results, doubted = [], []
        for index, (window, (code, probability)) in enumerate(zip(windows, languages, strict=True)):
            segments = segments_of(
                window,
                decodings[index],
                stretches[index],
                aligned[index],
                levels=sounds[index].levels,
                tokenizer=self._decoder.tokenizer(code),
            )
            results.append(WindowResult(window.index, segments, code, probability))
            unsure = probability < SURE_OF_LANGUAGE or not segments
            if unsure or decodings[index].doubts() or any(segment.doubts for segment in segments):
                doubted.append(index)
        return results, doubted

    def _knows(self, language: str) -> bool:
        return (
            not self.model.model.is_multilingual or self.model.hf_tokenizer.token_to_id(f"<|{language}|>") is not None
        )
