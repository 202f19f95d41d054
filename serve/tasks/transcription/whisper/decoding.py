"""Decodes encoded windows with one Whisper: their languages, and the decoding of each that the guard likes best."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import structlog

from serve.tasks.transcription.doubts import IMPROBABLE
from serve.tasks.transcription.guard import Decoding, better
from serve.tasks.transcription.messages import AudioWindow, DecodeOptions
from serve.tasks.transcription.whisper.encoding import Encoded
from serve.tasks.transcription.whisper.tokens import Tokenizers
from serve.tasks.transcription.whisper.vocabulary import hotwords, repeats_terms

if TYPE_CHECKING:
    from faster_whisper import WhisperModel

log = structlog.get_logger(__name__)

RETRY_DRAWS = 3
"""Decodings drawn of a window whose first one fails the guard; CTranslate2 returns the most probable.

One such retry makes a batch of 16 with one bad window cost 10 % more (shape base). Two retries, of one draw and of
three, cost 23 % more; two of five draws, as many as Whisper itself takes, 27 % more.
"""
UNLIKELY_TEMPERATURE = 0.3
"""For a text that is only improbable: tries its neighbours."""
ECHO_TEMPERATURE = 0.8
"""For a text that repeats itself or has no end: at low temperatures the model falls into the same loop again."""
TOKENS_PER_SECOND = 25
SPARE_TOKENS = 24
"""Speech needs about 4 tokens a second, 12 in languages that the tokenizer splits into bytes. More is a loop, and the
whole batch must not wait for the loop of one short window."""


class WhisperDecoder:
    """Decodes with one loaded model; safe to use from several threads."""

    def __init__(self, model: WhisperModel, tokenizers: Tokenizers, *, beam_size: int = 1) -> None:
        """`beam_size` is the least number of beams; a window's options may ask for more."""
        self._model = model
        self._beam_size = beam_size
        self._tokenizers = tokenizers

    def languages(self, windows: Sequence[AudioWindow], encoded: Encoded) -> list[tuple[str, float]]:
        """The language of each window and its probability, which is 1 where the caller chose the language."""
        unknown = [index for index, window in enumerate(windows) if window.options.language is None]
        guessed: dict[int, tuple[str, float]] = {}
        if unknown and self._model.model.is_multilingual:
            guesses = self.guesses(encoded, unknown)
            guessed = {index: guess[0] for index, guess in zip(unknown, guesses, strict=True)}
        return [
            (window.options.language, 1.0) if window.options.language else guessed.get(index, ("en", 0.0))
            for index, window in enumerate(windows)
        ]

    def guesses(self, encoded: Encoded, indexes: Sequence[int]) -> list[list[tuple[str, float]]]:
        """All languages of each window with their probabilities, the likeliest first."""
        found = self._model.model.detect_language(encoded.rows(indexes))
        return [[(token[2:-2], float(probability)) for token, probability in guess] for guess in found]

    def decodings(
        self, encoded: Encoded, windows: Sequence[AudioWindow], languages: Sequence[str], *, retry: bool
    ) -> list[Decoding]:
        """The best decoding of each window. With `retry`, those that fail the guard are decoded again.

        A decoding that recites the terms it was given is replaced by one without terms, and retries have none: terms
        may help to spell a name, and must not cost a sentence.
        """
        every = list(range(len(windows)))
        terms, usual = windows[0].options.terms, windows[0].options.temperature
        decodings = self.generate(encoded, every, windows, languages, temperature=usual, terms=terms)
        recited = [index for index in every if terms and repeats_terms(decodings[index].text, terms)]
        if recited:
            plain = self.generate(encoded, recited, windows, languages, temperature=usual)
            for index, other in zip(recited, plain, strict=True):
                decodings[index] = other
            log.info("windows.decoded_without_terms", windows=len(recited), of=len(windows))
        for temperature, failed in to_repeat(decodings).items() if retry else ():
            again = self.generate(encoded, failed, windows, languages, temperature=temperature, samples=RETRY_DRAWS)
            for index, other in zip(failed, again, strict=True):
                decodings[index] = better(decodings[index], other)
            log.info("windows.decoded_again", windows=len(failed), of=len(every), temperature=temperature)
        return decodings

    def generate(
        self,
        encoded: Encoded,
        indexes: Sequence[int],
        windows: Sequence[AudioWindow],
        languages: Sequence[str],
        *,
        temperature: float,
        samples: int = 1,
        terms: Sequence[str] = (),
    ) -> list[Decoding]:
        """One decoding of the windows at `indexes`, in one model call. All windows have equal batch keys."""
        options: DecodeOptions = windows[0].options
        prompts = [
            self._model.get_prompt(self._tokenizers.of(languages[index]), [], hotwords=hotwords(terms))
            for index in indexes
        ]
        longest_s = max(windows[index].duration_ms for index in indexes) / 1000
        sampling: dict[str, Any] = (
            {"beam_size": max(self._beam_size, options.beam_size)}
            if temperature == 0.0
            else {
                "beam_size": 1,
                "num_hypotheses": samples,
                "sampling_topk": 0,
                "sampling_temperature": temperature,
            }
        )
        results = self._model.model.generate(
            encoded.rows(indexes),
            prompts,
            # CTranslate2 gives half of this length to the text.
            max_length=min(self._model.max_length, 2 * round(SPARE_TOKENS + TOKENS_PER_SECOND * longest_s)),
            suppress_blank=True,
            suppress_tokens=self._tokenizers.suppressed,
            return_scores=True,
            return_no_speech_prob=True,
            **sampling,
        )
        tokenizer = self._tokenizers.of("en")
        return [
            Decoding(
                tokens=tuple(tokens := result.sequences_ids[0]),
                text=tokenizer.decode(tokens).strip(),
                # The score is the mean over the text tokens; Whisper's threshold also counts the closing one.
                average_log_probability=result.scores[0] * len(tokens) / (len(tokens) + 1),
                no_speech_probability=result.no_speech_prob,
                duration_ms=windows[index].duration_ms,
            )
            for index, result in zip(indexes, results, strict=True)
        ]


def to_repeat(decodings: Sequence[Decoding]) -> dict[float, list[int]]:
    """Indexes of the decodings that fail the guard, by the temperature of their retry."""
    failed: dict[float, list[int]] = defaultdict(list)
    for index, decoding in enumerate(decodings):
        if doubts := set(decoding.doubts()):
            failed[UNLIKELY_TEMPERATURE if doubts <= IMPROBABLE else ECHO_TEMPERATURE].append(index)
    return failed
