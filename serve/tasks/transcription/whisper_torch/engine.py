"""Whisper from transformers' weights by torch: the engine for GPUs.

Beside `whisper` (CTranslate2) it gives the same tokens from the same weights; it differs in how it runs them. All calls
share one decode loop, in which finished windows make room for waiting ones after every few steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import structlog

from serve.core.messages import EngineProblem, EngineRefused
from serve.tasks.transcription.guard import Decoding, better
from serve.tasks.transcription.messages import AudioWindow
from serve.tasks.transcription.sentences import ONE_BEAM
from serve.tasks.transcription.whisper.decoding import RETRY_DRAWS, SPARE_TOKENS, TOKENS_PER_SECOND, to_repeat
from serve.tasks.transcription.whisper.segments import stretches_of
from serve.tasks.transcription.whisper.tokens import Tokenizers
from serve.tasks.transcription.whisper.windows import Recognized, Sound, WhisperWindows, whisper_info
from serve.tasks.transcription.whisper.words import FEWEST_FRAMES
from serve.tasks.transcription.whisper_torch.folder import weight_files
from serve.tasks.transcription.whisper_torch.model import TorchWhisper
from serve.tasks.transcription.whisper_torch.rows import Row, RowResult
from serve.tasks.transcription.whisper_torch.step import Marks
from serve.tasks.transcription.whisper_torch.words import words_of

if TYPE_CHECKING:
    import numpy as np
    import torch
    from numpy.typing import NDArray

    from serve.tasks.transcription.whisper.timestamps import Stretch
    from serve.tasks.transcription.whisper.word_times import AlignedWord

log = structlog.get_logger(__name__)

MOST_TOKENS = 224
"""Half of the decoder's positions: the other half is for a prompt."""
ENCODED_FRAMES_PER_SECOND = 50


class WhisperTorchEngine(WhisperWindows):
    """One loaded Whisper model."""

    spare_workers = 0

    def __init__(
        self,
        folder: Path,
        *,
        name: str,
        reason: str,
        device: str,
        compute_type: str,
        slots: int,
        parallel: int = 1,
        adaptive: bool = True,
    ) -> None:
        """`slots` windows are decoded together at most. On a GPU it computes in bfloat16 unless `compute_type` is
        "float32", on a CPU always in float32."""
        from tokenizers import Tokenizer as Vocabulary

        self._folder, self._device, self._slots = folder, device, slots
        self._precision = "float32" if device == "cpu" or compute_type == "float32" else "bfloat16"
        self.parallel = parallel
        self.adaptive = adaptive
        vocabulary = Vocabulary.from_file(str(folder / "tokenizer.json"))
        is_multilingual = vocabulary.token_to_id("<|is|>") is not None
        self.tokenizers = Tokenizers(vocabulary, is_multilingual=is_multilingual)
        english = self.tokenizers.of("en")
        self._languages = tuple(self.tokenizers.languages) if is_multilingual else ()
        self._marks = Marks(
            end_of_text=english.eot,
            no_speech=english.no_speech,
            timestamp_begin=english.timestamp_begin,
            languages=tuple(int(vocabulary.token_to_id(f"<|{code}|>") or 0) for code in self._languages),
            suppressed=tuple(self.tokenizers.suppressed),
        )
        self.size_bytes = sum(file.stat().st_size for file in weight_files(folder))
        self.model: TorchWhisper | None = None
        self.load()
        self.info = whisper_info(
            "whisper_torch",
            model=name,
            device=device,
            reason=reason,
            tokenizers=self.tokenizers,
            # Its decode loop begins all rows at the same place.
            takes_vocabulary=False,
        )

    def checked(self, window: AudioWindow) -> Sound:
        if window.options.beam_size != 1:
            raise EngineRefused(
                EngineProblem.BAD_INPUT,
                ONE_BEAM(model=self.info.model),
            )
        return super().checked(window)

    def recognize(self, sounds: Sequence[Sound], context: int, *, retry: bool) -> list[Recognized]:
        model = self._loaded()
        encoded = list(model.encode([sound.wave for sound in sounds], context))
        rows = [self._row(sound, output) for sound, output in zip(sounds, encoded, strict=True)]
        results = model.decode(rows)
        languages = [self._language(sound, result) for sound, result in zip(sounds, results, strict=True)]
        decodings = [self._decoding(sound, result) for sound, result in zip(sounds, results, strict=True)]
        if retry:
            self._retry(sounds, encoded, [code for code, _ in languages], decodings)
        stretches = [stretches_of(one, self.tokenizers.of("en")) for one in decodings]
        words = self._words(sounds, encoded, [code for code, _ in languages], stretches)
        return [
            Recognized(*language, decoding, parts, spoken)
            for language, decoding, parts, spoken in zip(languages, decodings, stretches, words, strict=True)
        ]

    def guesses(self, wave: NDArray[np.float32], context: int) -> list[tuple[str, float]]:
        model = self._loaded()
        (encoded,) = model.encode([wave], context)
        english = self.tokenizers.of("en")
        row = Row(tuple(english.sot_sequence), 0, 1, encoded, detects_language=True)
        return self._ranked(model.decode([row])[0])

    @property
    def is_loaded(self) -> bool:
        return self.model is not None

    def load(self) -> None:
        """Bring the model into memory; takes seconds for each GB, and on a GPU the capture of the steps."""
        self.model = TorchWhisper(
            self._folder, self._marks, device=self._device, precision=self._precision, slots=self._slots
        )

    def unload(self) -> None:
        """Free the model's memory. No call may be under way."""
        if self.model is not None:
            self.model.close()
            self.model = None

    def rest(self) -> None:
        """Nothing to free: it is in use all the time, or its owner unloads it."""

    def close(self) -> None:
        self.unload()

    def _loaded(self) -> TorchWhisper:
        if self.model is None:
            raise RuntimeError("The model is not in memory.")
        return self.model

    def _row(
        self, sound: Sound, encoded: torch.Tensor, language: str | None = None, temperature: float | None = None
    ) -> Row:
        """A decoding of the window in this language, else in its own or the one that the model detects.

        The temperature is that of its options unless another one is given.
        """
        code = language or sound.window.options.language
        prompt = tuple(self.tokenizers.of(code or "en").sot_sequence)
        most = min(MOST_TOKENS, round(SPARE_TOKENS + TOKENS_PER_SECOND * sound.window.duration_ms / 1000))
        detects = code is None and self.tokenizers.is_multilingual
        usual = sound.window.options.temperature if temperature is None else temperature
        return Row(prompt, 0, most, encoded, usual, detects_language=detects)

    def _retry(
        self,
        sounds: Sequence[Sound],
        encoded: Sequence[torch.Tensor],
        languages: Sequence[str],
        decodings: list[Decoding],
    ) -> None:
        """Replace decodings that fail the guard where one drawn at another temperature is better."""
        wanted = [(index, temperature) for temperature, failed in to_repeat(decodings).items() for index in failed]
        if not wanted:
            return
        rows = [
            self._row(sounds[index], encoded[index], languages[index], temperature)
            for index, temperature in wanted
            for _ in range(RETRY_DRAWS)
        ]
        drawn = self._loaded().decode(rows)
        for number, (index, _) in enumerate(wanted):
            draws = drawn[number * RETRY_DRAWS : (number + 1) * RETRY_DRAWS]
            likeliest = max(draws, key=lambda draw: draw.average_log_probability)
            decodings[index] = better(decodings[index], self._decoding(sounds[index], likeliest))
        log.info("windows.decoded_again", windows=len(wanted), of=len(sounds))

    def _words(
        self,
        sounds: Sequence[Sound],
        encoded: Sequence[torch.Tensor],
        languages: Sequence[str],
        stretches: Sequence[Sequence[Stretch]],
    ) -> list[list[AlignedWord]]:
        """The words of each window, none where its options do not want them."""
        words: list[list[AlignedWord]] = [[] for _ in sounds]
        texts = [[token for stretch in parts for token in stretch.tokens] for parts in stretches]
        spoken = [index for index, text in enumerate(texts) if text and sounds[index].window.options.word_times]
        if not spoken:
            return words
        timed = self._loaded().token_times(
            [encoded[index] for index in spoken],
            [self._alignment_prompt(languages[index]) for index in spoken],
            [texts[index] for index in spoken],
            [
                max(FEWEST_FRAMES // 2, sounds[index].window.duration_ms * ENCODED_FRAMES_PER_SECOND // 1000)
                for index in spoken
            ],
        )
        for index, times in zip(spoken, timed, strict=True):
            tokenizer = self.tokenizers.of(languages[index])
            words[index] = words_of(tokenizer, texts[index], times.starts, times.probabilities)
        return words

    def _alignment_prompt(self, language: str) -> list[int]:
        tokenizer = self.tokenizers.of(language)
        return [*tokenizer.sot_sequence, tokenizer.no_timestamps]

    def _language(self, sound: Sound, result: RowResult) -> tuple[str, float]:
        if (chosen := sound.window.options.language) is not None:
            return chosen, 1.0
        return self._ranked(result)[0] if self._languages else ("en", 0.0)

    def _ranked(self, result: RowResult) -> list[tuple[str, float]]:
        pairs = zip(self._languages, result.language_probabilities, strict=True)
        return sorted(pairs, key=lambda pair: -pair[1])

    def _decoding(self, sound: Sound, result: RowResult) -> Decoding:
        return Decoding(
            tokens=result.tokens,
            text=self.tokenizers.of("en").decode(list(result.tokens)).strip(),
            average_log_probability=result.average_log_probability,
            no_speech_probability=result.no_speech_probability,
            duration_ms=sound.window.duration_ms,
        )
