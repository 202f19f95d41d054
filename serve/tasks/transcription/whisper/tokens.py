"""Whisper's tokens: prompts, control tokens, languages, and the words of a text.

They are read from the model's vocabulary alone, so neither engine needs the other's library.
"""

from __future__ import annotations

import string
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tokenizers import Tokenizer as Vocabulary

WITHOUT_SPACES = frozenset({"zh", "ja", "th", "lo", "my", "yue"})
"""Languages that write no spaces between words: each of their characters counts as a word."""
_SYMBOLS = (
    *'"#()*+/:;<=>@[\\]^_`{|}~「」『』',
    *("<<", ">>", "<<<", ">>>", "--", "---", "-(", "-[", "('", '("', "((", "))", "(((", ")))", "[[", "]]", "{{", "}}"),
    *("♪♪", "♪♪♪"),
)
"""Written for sounds, speakers and music: openai/whisper suppresses them where one token writes them."""
_NOTES = "♩♪♫♬♭♮♯"
"""Music signs of two or three tokens, whose first one writes nothing else that is spoken."""
_CONTROLS = ("startoftranscript", "translate", "transcribe", "startoflm", "startofprev")


class Tokenizer:
    """The tokens of one model for one language. faster-whisper takes it in place of its own, by the same names."""

    def __init__(self, vocabulary: Vocabulary, language: str, *, is_multilingual: bool) -> None:
        self._vocabulary = vocabulary
        self.language_code = language
        self.eot = self._control("endoftext")
        self.no_timestamps = self._control("notimestamps")
        self.timestamp_begin = self.no_timestamps + 1
        self.no_speech = self._control("nospeech", "nocaptions")
        self.sot_prev = self._control("startofprev")
        start = self._control("startoftranscript")
        self.sot_sequence = [start]
        if is_multilingual:
            self.sot_sequence += [self._control(language), self._control("transcribe")]

    def encode(self, text: str) -> list[int]:
        ids: list[int] = self._vocabulary.encode(text, add_special_tokens=False).ids
        return ids

    def decode(self, tokens: Sequence[int]) -> str:
        """The text of the tokens, without control tokens and times."""
        return str(self._vocabulary.decode([token for token in tokens if token < self.eot]))

    def split_to_word_tokens(self, tokens: Sequence[int]) -> tuple[list[str], list[list[int]]]:
        """Words with the space before them, and the tokens of each. Punctuation and control tokens stand alone."""
        words: list[str] = []
        parts: list[list[int]] = []
        for text, part in self._characters(tokens):
            begins = text.startswith(" ") or text.strip() in string.punctuation or part[0] >= self.eot
            if not words or begins or self.language_code in WITHOUT_SPACES:
                words.append(text)
                parts.append(part)
            else:
                words[-1] += text
                parts[-1] += part
        return words, parts

    def _characters(self, tokens: Sequence[int]) -> list[tuple[str, list[int]]]:
        """The shortest runs of tokens that write whole characters: one character may take several tokens."""
        runs: list[tuple[str, list[int]]] = []
        waiting: list[int] = []
        written = b""
        for token in tokens:
            waiting.append(token)
            written += b"" if token >= self.eot else _bytes_of(self._vocabulary.id_to_token(token) or "")
            if not _is_cut(written):
                runs.append((written.decode("utf-8", "replace"), waiting))
                waiting, written = [], b""
        if waiting:
            runs.append((written.decode("utf-8", "replace"), waiting))
        return runs

    def _control(self, *names: str) -> int:
        """The token of the first of these names that the vocabulary has. Raises ValueError where it has none."""
        for name in names:
            if (token := self._vocabulary.token_to_id(f"<|{name}|>")) is not None:
                return int(token)
        raise ValueError(f"This vocabulary has no <|{names[0]}|>: it is not Whisper's.")


class Tokenizers:
    """The tokenizers of one model by language."""

    def __init__(self, vocabulary: Any, *, is_multilingual: bool) -> None:
        """`vocabulary` is a `tokenizers.Tokenizer`."""
        self.vocabulary = vocabulary
        self.is_multilingual = is_multilingual
        self._tokenizers: dict[str, Tokenizer] = {}
        self.suppressed = self._suppressed()

    def of(self, language: str) -> Tokenizer:
        if language not in self._tokenizers:
            made = Tokenizer(self.vocabulary, language, is_multilingual=self.is_multilingual)
            self._tokenizers[language] = made
        return self._tokenizers[language]

    @property
    def languages(self) -> list[str]:
        """The languages that the vocabulary names, in the order of their tokens; English alone where it names none."""
        if not self.is_multilingual:
            return ["en"]
        first, after = (self.vocabulary.token_to_id(f"<|{name}|>") for name in ("startoftranscript", "translate"))
        return [self.vocabulary.id_to_token(token)[2:-2] for token in range(first + 1, after)]

    def _suppressed(self) -> list[int]:
        """Symbols and control tokens, which are not speech; openai/whisper suppresses the same."""
        english = self.of("en")
        chosen = {english.no_speech, english.encode(" -")[0], english.encode(" '")[0]}
        chosen |= {token for name in _CONTROLS if (token := self.vocabulary.token_to_id(f"<|{name}|>")) is not None}
        for text in (form for symbol in (*_SYMBOLS, *_NOTES) for form in (symbol, f" {symbol}")):
            written = english.encode(text)
            if len(written) == 1 or text.strip() in _NOTES:
                chosen.add(written[0])
        return sorted(chosen)


def _bytes_of(token: str) -> bytes:
    """The bytes of a token of byte-level BPE, whose vocabulary writes each byte as one printable character (GPT-2)."""
    return bytes(_BYTES[character] for character in token)


def _byte_characters() -> dict[str, int]:
    printable = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    others = [byte for byte in range(256) if byte not in printable]
    return {chr(byte): byte for byte in printable} | {chr(256 + index): byte for index, byte in enumerate(others)}


_BYTES = _byte_characters()


def _is_cut(written: bytes) -> bool:
    """Whether the bytes end within a character that further ones may complete."""
    try:
        written.decode("utf-8")
    except UnicodeDecodeError as wrong:
        return wrong.reason == "unexpected end of data"
    return False
