"""Whisper by CTranslate2, batched across files: windows of any files and languages share one model call.

This is built below faster-whisper's `BatchedInferencePipeline`, which serves one file with one prompt at a time and
never decodes a failed window again.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import structlog

from serve.messages import (
    SAMPLE_RATE,
    AudioWindow,
    DecodeOptions,
    EngineInfo,
    EngineProblem,
    EngineRefused,
    LanguageGuess,
    Segment,
    WindowResult,
)
from serve.transcription import timestamps
from serve.transcription.audio import is_silent, samples
from serve.transcription.encoding import Encoded, encode
from serve.transcription.guard import Heard, better, doubts_of_words
from serve.transcription.whisper_words import WITHOUT_SPACES, align
from serve.transcription.word_times import words_by_stretch

if TYPE_CHECKING:
    import numpy as np
    from faster_whisper import WhisperModel
    from faster_whisper.tokenizer import Tokenizer
    from numpy.typing import NDArray

    from serve.transcription.engine import WindowOutcome

log = structlog.get_logger(__name__)

RETRY_TEMPERATURES = (0.2, 0.6)
"""How random the decodings are that replace one which fails the guard; the least random first."""
RETRY_SAMPLES = 5
"""Decodings drawn at each of those temperatures; CTranslate2 gives back the most probable."""
TOKENS_PER_SECOND = 25
SPARE_TOKENS = 24
"""Speech needs about 4 tokens a second, 12 in languages that the tokenizer splits into bytes. More is a loop, which one
short window may not make the whole batch wait for."""
MAX_HOTWORD_TOKENS = 200
"""Half of the decoder's 448 positions are for the prompt."""
SHORTEST_SAMPLES = SAMPLE_RATE // 10
"""Shorter windows are padded with silence: the spectrum needs more than one frame."""


class WhisperEngine:
    """One loaded Whisper model."""

    gains_from_batches = True

    def __init__(
        self, folder: Path, *, name: str, reason: str, device: str, compute_type: str, parallel: int = 1
    ) -> None:
        from faster_whisper import WhisperModel

        # One thread for each model call and one call for each core: two threads in one call wait for each other.
        self.model: WhisperModel = WhisperModel(
            str(folder), device=device, compute_type=compute_type, cpu_threads=1, num_workers=parallel
        )
        self.parallel = parallel
        self._tokenizers: dict[str, Tokenizer] = {}
        self._suppressed = _suppressed_tokens(self._tokenizer("en"))
        languages = frozenset(filter(self._knows, self.model.supported_languages))
        self.info = EngineInfo("transcription", "whisper", name, device, reason, languages)

    def transcribe(self, batch: Sequence[AudioWindow]) -> list[WindowOutcome]:
        outcomes: list[WindowOutcome | None] = [None] * len(batch)
        places, waves = [], []
        for place, window in enumerate(batch):
            try:
                wave = self._checked(window)
            except EngineRefused as refused:
                outcomes[place] = refused
                continue
            if is_silent(wave):
                language = window.options.language
                outcomes[place] = WindowResult(window.index, (), language or "", 1.0 if language else 0.0)
                continue
            places.append(place)
            waves.append(wave)
        for place, result in zip(places, self._decode_windows([batch[p] for p in places], waves), strict=True):
            outcomes[place] = result
        return [outcome for outcome in outcomes if outcome is not None]

    def detect(self, window: AudioWindow) -> LanguageGuess:
        wave = self._checked(window)
        if is_silent(wave):
            return LanguageGuess(())
        if not self.model.model.is_multilingual:
            return LanguageGuess((("en", 0.0),))
        encoded = encode(self.model, [_padded(wave)])
        return LanguageGuess(tuple(self._guesses(encoded, [0])[0]))

    def close(self) -> None:
        self.model.model.unload_model()

    def _checked(self, window: AudioWindow) -> NDArray[np.float32]:
        language = window.options.language
        if language is not None and language not in self.info.languages:
            raise EngineRefused(
                EngineProblem.UNKNOWN_LANGUAGE,
                f"The speech model “{self.info.model}” does not know the language “{language}”.",
            )
        return samples(window)

    def _decode_windows(
        self, windows: Sequence[AudioWindow], waves: Sequence[NDArray[np.float32]]
    ) -> list[WindowResult]:
        """Results of windows that hold sound, with equal batch keys."""
        if not windows:
            return []
        options = windows[0].options
        encoded = encode(self.model, [_padded(wave) for wave in waves])
        languages = self._languages(windows, encoded)
        heard = self._heard(encoded, windows, [code for code, _ in languages], options)
        stretches = [
            []
            if one.is_silence
            else timestamps.split(
                one.tokens,
                timestamp_begin=self._tokenizer("en").timestamp_begin,
                end_of_text=self._tokenizer("en").eot,
                duration_ms=window.duration_ms,
            )
            for one, window in zip(heard, windows, strict=True)
        ]
        aligned = (
            align(self.model, self._tokenizer, encoded, [code for code, _ in languages], stretches, waves)
            if options.word_times
            else [[] for _ in windows]
        )
        results = []
        for place, window in enumerate(windows):
            code, probability = languages[place]
            counts = [len(stretch.tokens) for stretch in stretches[place]]
            words = words_by_stretch(
                aligned[place],
                counts,
                wave=waves[place],
                start_ms=window.start_ms,
                spaces=code not in WITHOUT_SPACES,
            )
            segments = []
            for stretch, spoken in zip(stretches[place], words, strict=True):
                text = self._tokenizer(code).decode(list(stretch.tokens)).strip()
                if not text:
                    continue
                found = [*heard[place].doubts(), *doubts_of_words(spoken, wave=waves[place], start_ms=window.start_ms)]
                segments.append(
                    Segment(
                        start_ms=spoken[0].start_ms if spoken else window.start_ms + stretch.start_ms,
                        end_ms=spoken[-1].end_ms if spoken else window.start_ms + stretch.end_ms,
                        text=text,
                        words=spoken,
                        language=code,
                        doubts=tuple(dict.fromkeys(found)),
                    )
                )
            results.append(WindowResult(window.index, tuple(segments), code, probability))
        return results

    def _languages(self, windows: Sequence[AudioWindow], encoded: Encoded) -> list[tuple[str, float]]:
        """Language and its probability for each window; 1 where the caller chose it."""
        unknown = [place for place, window in enumerate(windows) if window.options.language is None]
        guessed: dict[int, tuple[str, float]] = {}
        if unknown and self.model.model.is_multilingual:
            guesses = self._guesses(encoded, unknown)
            guessed = {place: guess[0] for place, guess in zip(unknown, guesses, strict=True)}
        return [
            (window.options.language, 1.0) if window.options.language else guessed.get(place, ("en", 0.0))
            for place, window in enumerate(windows)
        ]

    def _guesses(self, encoded: Encoded, places: Sequence[int]) -> list[list[tuple[str, float]]]:
        found = self.model.model.detect_language(encoded.rows(places))
        return [[(token[2:-2], float(probability)) for token, probability in guess] for guess in found]

    def _heard(
        self, encoded: Encoded, windows: Sequence[AudioWindow], languages: Sequence[str], options: DecodeOptions
    ) -> list[Heard]:
        """The best decoding of each window; only those that fail the guard are decoded again."""
        every = list(range(len(windows)))
        heard = self._generate(encoded, every, windows, languages, options, temperature=0.0)
        for temperature in RETRY_TEMPERATURES:
            failed = [place for place in every if heard[place].doubts()]
            if not failed:
                break
            again = self._generate(encoded, failed, windows, languages, options, temperature=temperature)
            for place, other in zip(failed, again, strict=True):
                heard[place] = better(heard[place], other)
            log.info("windows.decoded_again", windows=len(failed), of=len(every), temperature=temperature)
        return heard

    def _generate(
        self,
        encoded: Encoded,
        places: Sequence[int],
        windows: Sequence[AudioWindow],
        languages: Sequence[str],
        options: DecodeOptions,
        *,
        temperature: float,
    ) -> list[Heard]:
        prompts = [self._prompt(languages[place], options.hotwords) for place in places]
        longest_s = max(windows[place].duration_ms for place in places) / 1000
        sampling: dict[str, Any] = (
            {"beam_size": options.beam_size}
            if temperature == 0.0
            else {
                "beam_size": 1,
                "num_hypotheses": RETRY_SAMPLES,
                "sampling_topk": 0,
                "sampling_temperature": temperature,
            }
        )
        results = self.model.model.generate(
            encoded.rows(places),
            prompts,
            # CTranslate2 gives half of this length to the text.
            max_length=min(self.model.max_length, 2 * round(SPARE_TOKENS + TOKENS_PER_SECOND * longest_s)),
            suppress_blank=True,
            suppress_tokens=self._suppressed,
            return_scores=True,
            return_no_speech_prob=True,
            **sampling,
        )
        tokenizer = self._tokenizer("en")
        return [
            Heard(
                tokens=tuple(tokens := result.sequences_ids[0]),
                text=tokenizer.decode(tokens).strip(),
                # The score is the mean over the text tokens; Whisper's threshold also counts the closing one.
                average_log_probability=result.scores[0] * len(tokens) / (len(tokens) + 1),
                no_speech_probability=result.no_speech_prob,
                duration_ms=windows[place].duration_ms,
            )
            for place, result in zip(places, results, strict=True)
        ]

    def _prompt(self, language: str, hotwords: str) -> list[int]:
        tokenizer = self._tokenizer(language)
        before = []
        if hotwords.strip():
            before = [tokenizer.sot_prev, *tokenizer.encode(" " + hotwords.strip())[:MAX_HOTWORD_TOKENS]]
        return [*before, *tokenizer.sot_sequence]

    def _tokenizer(self, language: str) -> Tokenizer:
        from faster_whisper.tokenizer import Tokenizer

        if language not in self._tokenizers:
            self._tokenizers[language] = Tokenizer(
                self.model.hf_tokenizer, self.model.model.is_multilingual, task="transcribe", language=language
            )
        return self._tokenizers[language]

    def _knows(self, language: str) -> bool:
        return (
            not self.model.model.is_multilingual or self.model.hf_tokenizer.token_to_id(f"<|{language}|>") is not None
        )


def _suppressed_tokens(tokenizer: Tokenizer) -> list[int]:
    """Tokens that are no speech: symbols and control tokens, as Whisper itself suppresses them."""
    from faster_whisper.transcribe import get_suppressed_tokens

    return list(get_suppressed_tokens(tokenizer, [-1]))


def _padded(wave: NDArray[np.float32]) -> NDArray[np.float32]:
    import numpy as np

    return np.pad(wave, (0, max(0, SHORTEST_SAMPLES - len(wave))))
