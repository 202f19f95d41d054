"""What the two transducers share: three files, and terms by a beam search."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from serve.tasks.transcription.messages import SAMPLE_RATE, AudioWindow
from serve.tasks.transcription.sherpa.family import Family
from serve.tasks.transcription.sherpa.folder import SherpaFolder, has_parts, part, readable_facts
from serve.tasks.transcription.sherpa.hotwords import SPACE, hotwords_of, search_options, single_pieces, vocabulary_of

PARTS = ("encoder", "decoder", "joiner")


class Transducer(Family):
    is_batched = True
    word_probabilities = True
    model_type = "transducer"

    def recognizer(self, model: SherpaFolder, threads: int) -> Any:
        return self._recognizer(model, threads)

    def biased(self, model: SherpaFolder, threads: int) -> Any | None:
        if not model.takes_terms:
            return None
        tokens = model.files["tokens"]
        with vocabulary_of(model.path, tokens) as vocabulary:
            return self._recognizer(model, threads, bpe_vocab=vocabulary, **search_options(tokens))

    def biased_stream(self, recognizer: Any, model: SherpaFolder, window: AudioWindow) -> Any | None:
        hotwords = hotwords_of(window.options.terms, single_pieces(model.files["tokens"]))
        return recognizer.create_stream(hotwords=hotwords) if hotwords else None

    def _recognizer(self, model: SherpaFolder, threads: int, **options: Any) -> Any:
        import sherpa_onnx

        return sherpa_onnx.OfflineRecognizer.from_transducer(
            **transducer_options(model, threads), model_type=self.model_type, **options
        )


def transducer_options(model: SherpaFolder, threads: int) -> dict[str, Any]:
    """What the runtime is told of every transducer, whether it reads files or streams."""
    files = {part: model[part] for part in (*PARTS, "tokens")}
    return {**files, "num_threads": threads, "sample_rate": SAMPLE_RATE, "feature_dim": model.bands}


def transducer_facts(folder: Path) -> dict[str, str]:
    """What the encoder of a folder says about its model; nothing where the folder holds no transducer."""
    return readable_facts(part(folder, "encoder")) if has_parts(folder, PARTS) else {}


def can_spell(tokens: Path) -> bool:
    """Whether a model has pieces of single letters, of which any term can be made."""
    pieces = single_pieces(tokens)
    return SPACE in pieces and any(piece.isalpha() for piece in pieces)
