"""Our reading of Whisper's vocabulary beside faster-whisper's, which is another reading of the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from faster_whisper.tokenizer import Tokenizer as TheirTokenizer
from faster_whisper.transcribe import get_suppressed_tokens, merge_punctuations
from tokenizers import Tokenizer as Vocabulary
from tokenizers.models import BPE

from serve.tasks.transcription.whisper.tokens import Tokenizer, Tokenizers
from serve.tasks.transcription.whisper.word_times import AlignedWord
from serve.tasks.transcription.whisper.words import with_punctuation

TEXTS = (
    ' Hello, world! It\'s "quoted" (twice) — and 3.5 % more…',
    " Þetta er íslenska; hún á æ, ö og ð. 😀👩‍👩‍👧 Búið!",
    "日本語のテキスト。次の文！",
    " ภาษาไทย และ မြန်မာ",
    "¿Qué? ¡Nada! «Bien»",
)


@pytest.fixture(scope="module")
def vocabulary(models_root: Path) -> Any:
    return Vocabulary.from_file(str(models_root / "whisper" / "tokenizer.json"))


def test_languages_are_those_of_the_vocabulary_in_its_order(vocabulary: Any) -> None:
    languages = Tokenizers(vocabulary, is_multilingual=True).languages
    assert languages[:4] == ["en", "zh", "de", "es"]
    assert languages[-1] == "su"
    assert len(languages) == len(set(languages)) == 99
    assert Tokenizers(vocabulary, is_multilingual=False).languages == ["en"]


def test_what_is_no_speech_is_suppressed(vocabulary: Any) -> None:
    theirs = TheirTokenizer(vocabulary, True, task="transcribe", language="en")
    assert Tokenizers(vocabulary, is_multilingual=True).suppressed == sorted(get_suppressed_tokens(theirs, [-1]))


@pytest.mark.parametrize("language", ["en", "is", "ja", "th"])
@pytest.mark.parametrize("text", TEXTS)
def test_prompts_texts_and_words_are_the_same(vocabulary: Any, language: str, text: str) -> None:
    ours = Tokenizer(vocabulary, language, is_multilingual=True)
    theirs = TheirTokenizer(vocabulary, True, task="transcribe", language=language)
    for name in ("sot_sequence", "sot_prev", "eot", "no_timestamps", "timestamp_begin", "no_speech", "language_code"):
        assert getattr(ours, name) == getattr(theirs, name)
    tokens = [*ours.encode(text), ours.eot]
    assert tokens == [*theirs.encode(text), theirs.eot]
    assert ours.decode([ours.timestamp_begin, *tokens]) == theirs.decode([ours.timestamp_begin, *tokens]) == text
    words, parts = ours.split_to_word_tokens(tokens)
    assert (words, parts) == theirs.split_to_word_tokens(tokens)
    aligned: list[dict[str, Any]] = [
        {"word": word, "tokens": list(part), "start": index, "end": index + 1, "probability": 0.5}
        for index, (word, part) in enumerate(zip(words, parts, strict=True))
    ]
    joined = with_punctuation(
        [AlignedWord(word, index, index + 1, 0.5, len(parts[index])) for index, word in enumerate(words)]
    )
    merge_punctuations(aligned, "\"'“¿([{-", "\"'.。,，!！?？:：”)]}、")
    assert [(each.text, each.tokens, each.start_s) for each in joined] == [
        (each["word"], len(each["tokens"]), each["start"]) for each in aligned
    ]


def test_bytes_that_are_no_character_are_kept_apart_and_counted(vocabulary: Any) -> None:
    """A model can stop, or be cut, in the middle of a character."""
    ours = Tokenizer(vocabulary, "en", is_multilingual=True)
    whole = ours.encode(" yes 👩")
    words, parts = ours.split_to_word_tokens(whole[:-1])
    assert words[0] == " yes"
    assert [token for part in parts for token in part] == whole[:-1]
    assert "\ufffd" in words[-1]


def test_a_vocabulary_of_another_model_is_refused() -> None:
    with pytest.raises(ValueError, match=r"no <\|endoftext\|>: it is not Whisper's"):
        Tokenizers(Vocabulary(BPE()), is_multilingual=True)
