"""Terms of a glossary in Whisper's prompt: whose calls they share, and what they must not cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from serve.tasks.transcription.guard import Decoding
from serve.tasks.transcription.messages import DecodeOptions
from serve.tasks.transcription.whisper.encoding import Encoded
from serve.tasks.transcription.whisper.engine import WhisperEngine
from serve.tasks.transcription.whisper.vocabulary import repeats_terms
from serve.testing.speech import SpokenClip
from serve.tests.transcription.test_whisper import results, text_of

TERMS = ("Húsavík", "Snorri Sturluson", "Sagascript")


def wanting(clip: SpokenClip, *terms: str) -> DecodeOptions:
    return DecodeOptions(language=clip.lang, terms=terms)


def test_windows_without_terms_share_calls_as_ever_and_those_of_one_glossary_too(
    whisper: WhisperEngine, clips: list[SpokenClip]
) -> None:
    def key(clip: SpokenClip, *terms: str) -> object:
        return whisper.batch_key(clip.window(options=wanting(clip, *terms)))

    one, other = clips[0], clips[1]
    assert key(one) == key(other) != key(one, *TERMS)
    assert key(one, *TERMS) == key(other, *TERMS) != key(one, "Akureyri")


@pytest.mark.long
@pytest.mark.parametrize("terms", [(), TERMS])
def test_words_are_the_same_with_terms_that_nobody_speaks(
    whisper: WhisperEngine, clips: list[SpokenClip], monkeypatch: pytest.MonkeyPatch, terms: tuple[str, ...]
) -> None:
    given: set[str | None] = set()
    get_prompt = whisper.model.get_prompt

    def note(*arguments: Any, **named: Any) -> Any:
        given.add(named["hotwords"])
        return get_prompt(*arguments, **named)

    monkeypatch.setattr(whisper.model, "get_prompt", note)
    some = clips[::3]
    found = results(whisper.run([clip.window(options=wanting(clip, *terms)) for clip in some]))
    assert [text_of(result) for result in found] == [clip.text for clip in some]
    assert given == {"Húsavík, Snorri Sturluson, Sagascript" if terms else None}


def test_a_window_that_recites_its_terms_is_decoded_without_them(
    whisper: WhisperEngine, clips: list[SpokenClip], monkeypatch: pytest.MonkeyPatch
) -> None:
    generate = whisper._decoder.generate
    decoded: list[tuple[list[int], Sequence[str]]] = []

    def recite(encoded: Encoded, indexes: Sequence[int], *rest: Any, **named: Any) -> list[Decoding]:
        terms = named.get("terms", ())
        decoded.append((list(indexes), terms))
        made = generate(encoded, indexes, *rest, **named)
        return [replace(made[0], text=", ".join(terms), tokens=()), *made[1:]] if terms else made

    monkeypatch.setattr(whisper._decoder, "generate", recite)
    found = results(whisper.run([clip.window(options=wanting(clip, *TERMS)) for clip in clips[:3]]))
    assert [text_of(result) for result in found] == [clip.text for clip in clips[:3]]
    assert decoded == [([0, 1, 2], TERMS), ([0], ())]


@pytest.mark.parametrize(
    ("text", "is_recited"),
    [
        ("Húsavík, Snorri Sturluson, Sagascript.", True),
        ("so Snorri Sturluson, Sagascript and", True),
        ("Sagascript!", True),
        ("Snorri Sturluson was born there.", False),
        ("From Sagascript to Húsavík.", False),
        ("", False),
    ],
)
def test_terms_are_recited_alone_or_in_their_order(text: str, is_recited: bool) -> None:
    assert repeats_terms(text, TERMS) == is_recited
