"""Whisper's tokens as faster-whisper reads them: a tokenizer for each language, and tokens that are no speech."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from faster_whisper.tokenizer import Tokenizer


class Tokenizers:
    """The tokenizers of one model by language."""

    def __init__(self, vocabulary: Any, *, is_multilingual: bool) -> None:
        """`vocabulary` is a `tokenizers.Tokenizer`."""
        self.vocabulary = vocabulary
        self.is_multilingual = is_multilingual
        self._tokenizers: dict[str, Tokenizer] = {}
        self.suppressed = _suppressed(self.of("en"))

    def of(self, language: str) -> Tokenizer:
        from faster_whisper.tokenizer import Tokenizer

        if language not in self._tokenizers:
            self._tokenizers[language] = Tokenizer(
                self.vocabulary, self.is_multilingual, task="transcribe", language=language
            )
        return self._tokenizers[language]

    def knows(self, language: str) -> bool:
        return not self.is_multilingual or self.vocabulary.token_to_id(f"<|{language}|>") is not None


def _suppressed(tokenizer: Tokenizer) -> Sequence[int]:
    """Symbols and control tokens, which are not speech; Whisper itself suppresses the same."""
    from faster_whisper.transcribe import get_suppressed_tokens

    return list(get_suppressed_tokens(tokenizer, [-1]))
