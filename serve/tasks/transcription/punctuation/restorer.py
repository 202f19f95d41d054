"""Restores punctuation and capitals in words that were heard, by sherpa-onnx's online punctuation."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from serve.tasks.transcription.punctuation.folder import PunctuationModel
from serve.tasks.transcription.sherpa.trial import try_program

MARKS = ",.?"
"""What the model may put behind a word."""
_TRIAL = "the weather is fine today"


class Restorer:
    """The loaded model. It may be called from several threads."""

    def __init__(self, model: PunctuationModel) -> None:
        """Raises UnusableModel for files that the runtime does not take, which is tried in another process first."""
        try_program(__spec__.name, str(model.path))
        self._punctuation = _loaded(model)

    def __call__(self, words: Sequence[str]) -> list[str]:
        """The words with capitals and marks, one for one; as they were where the model loses count.

        A word with capitals keeps its letters, unless all words are in capitals alone, as some models write.
        """
        shouted = all(word == word.upper() for word in words)
        heard = [word.lower() if shouted else word for word in words]
        if not heard or any(len(word.split()) != 1 for word in heard):
            return list(words)
        written = self._punctuation.add_punctuation_with_case(" ".join(word.lower() for word in heard)).split()
        if len(written) != len(heard):
            return list(words)
        return [_merged(word, restored) for word, restored in zip(heard, written, strict=True)]


def _merged(word: str, restored: str) -> str:
    """The restored capitals, unless the word has its own; the restored mark, unless it ends with one."""
    letters = restored.rstrip(MARKS)
    if letters.lower() != word.lower().rstrip(MARKS):
        return word
    mark = restored[len(letters) :]
    kept = word if word != word.lower() else letters + word[len(word.rstrip(MARKS)) :]
    return kept if not mark or kept[-1] in MARKS else kept + mark


def _loaded(model: PunctuationModel) -> Any:
    import sherpa_onnx

    files = sherpa_onnx.OnlinePunctuationModelConfig(
        cnn_bilstm=str(model.weights), bpe_vocab=str(model.vocabulary), num_threads=1
    )
    return sherpa_onnx.OnlinePunctuation(sherpa_onnx.OnlinePunctuationConfig(model_config=files))


def main(folder: str) -> None:
    from cluster.privacy import keep_private

    keep_private()
    punctuation = _loaded(PunctuationModel(Path(folder)))
    if len(punctuation.add_punctuation_with_case(_TRIAL).split()) != len(_TRIAL.split()):
        raise ValueError("it does not keep the words of a text")


if __name__ == "__main__":
    import sys

    main(*sys.argv[1:])
