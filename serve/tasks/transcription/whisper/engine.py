"""Whisper by CTranslate2, batched across files: windows of any files and languages share one model call.

This is built below faster-whisper's `BatchedInferencePipeline`, which serves one file with one prompt at a time and
never retries a failed window.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from serve.core.models.model_files import MODEL_FILE
from serve.core.models.processor import use_avx512
from serve.tasks.transcription.whisper.decoding import WhisperDecoder
from serve.tasks.transcription.whisper.encoding import encode
from serve.tasks.transcription.whisper.segments import stretches_of
from serve.tasks.transcription.whisper.tokens import Tokenizers
from serve.tasks.transcription.whisper.windows import Recognized, Sound, WhisperWindows, whisper_info
from serve.tasks.transcription.whisper.words import align

if TYPE_CHECKING:
    import numpy as np
    from faster_whisper import WhisperModel
    from numpy.typing import NDArray


class WhisperEngine(WhisperWindows):
    """One loaded Whisper model."""

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
        self.tokenizers = Tokenizers(self.model.hf_tokenizer, is_multilingual=bool(self.model.model.is_multilingual))
        self._decoder = WhisperDecoder(self.model, self.tokenizers, beam_size=beam_size)
        self.size_bytes = (folder / MODEL_FILE).stat().st_size
        self.info = whisper_info(
            "whisper",
            model=name,
            device=device,
            reason=reason,
            tokenizers=self.tokenizers,
            takes_vocabulary=True,
        )

    def recognize(self, sounds: Sequence[Sound], context: int, *, retry: bool) -> list[Recognized]:
        windows = [sound.window for sound in sounds]
        encoded = encode(self.model, [sound.wave for sound in sounds], context_ms=context)
        languages = self._decoder.languages(windows, encoded)
        codes = [code for code, _ in languages]
        decodings = self._decoder.decodings(encoded, windows, codes, retry=retry)
        stretches = [stretches_of(one, self.tokenizers.of("en")) for one in decodings]
        aligned = (
            align(self.model, self.tokenizers.of, encoded, codes, stretches, windows)
            if windows[0].options.word_times
            else [[] for _ in windows]
        )
        return [
            Recognized(*language, decoding, parts, words)
            for language, decoding, parts, words in zip(languages, decodings, stretches, aligned, strict=True)
        ]

    def guesses(self, wave: NDArray[np.float32], context: int) -> list[tuple[str, float]]:
        return self._decoder.guesses(encode(self.model, [wave], context_ms=context), [0])[0]

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
