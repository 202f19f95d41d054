"""The checker: what lines support and what they do not."""

from __future__ import annotations

import pytest

from pipelines.ai_text.figures import numbers
from pipelines.ai_text.support import Fault, fault, is_said
from pipelines.messages.minutes import TextLine


def lines(*texts: str, speaker: str | None = None) -> list[TextLine]:
    return [
        TextLine(id=f"l{number}", start_ms=0, end_ms=1000, text=text, speaker=speaker)
        for number, text in enumerate(texts)
    ]


FERRY = lines("The new ferry will cost twelve million dollars, Jon said on Monday.", speaker="Anna Berg")
UNSENT = lines("We did not receive the offer from the shipyard.", "But we will order the ferry anyway.")
ICELANDIC = lines("Nýja ferjan kostar 12 milljónir dollara.", "Við fengum ekki tilboðið frá Guðrúnu.")


@pytest.mark.parametrize(
    ("sentence", "evidence"),
    [
        ("The new ferry will cost 12 million dollars.", FERRY),
        ("The ferry costs $12,000,000.", FERRY),
        ("According to Anna, the ferry costs 12 million.", FERRY),
        ("On Monday Jon named the cost of the ferry.", FERRY),
        ("They did not receive the shipyard's offer.", UNSENT),
        ("The ferry will be ordered anyway.", UNSENT),
        ("One of the offers was not received from the shipyard.", UNSENT),
    ],
)
def test_sentences_in_other_words_are_supported(sentence: str, evidence: list[TextLine]) -> None:
    assert fault(sentence, evidence, language="en", source="en") is None


@pytest.mark.parametrize(
    ("sentence", "evidence", "found"),
    [
        ("The new ferry will cost 15 million dollars.", FERRY, Fault.NUMBER),
        ("The new ferry will cost 12 billion dollars.", FERRY, Fault.NUMBER),
        ("The new ferry will cost 12 million euros.", FERRY, Fault.AMOUNT),
        ("Jon said on Tuesday what the ferry will cost.", FERRY, Fault.DATE),
        ("The new ferry will cost a lot, said Peter.", FERRY, Fault.NAME),
        ("Peter Olsen named the cost of the ferry.", FERRY, Fault.NAME),
        ("They received the offer from the shipyard.", UNSENT, Fault.NEGATION),
        ("They will never order the ferry.", FERRY, Fault.NEGATION),
        ("Weather forecasts promise sunshine.", FERRY, Fault.WORDS),
        ("The new ferry will cost 12 million dollars.", [], Fault.NO_LINES),
    ],
)
def test_changed_facts_are_found(sentence: str, evidence: list[TextLine], found: Fault) -> None:
    assert fault(sentence, evidence, language="en", source="en") is found


@pytest.mark.parametrize(
    ("sentence", "found"),
    [
        ("Nýja ferjan mun kosta tólf milljónir dollara.", None),
        ("Tilboðið frá Guðrún fékkst ekki.", None),
        ("Nýja ferjan kostar 15 milljónir dollara.", Fault.NUMBER),
        ("Við fengum tilboðið frá Guðrúnu.", Fault.NEGATION),
        ("Við fengum ekki tilboðið frá Sigríði.", Fault.NAME),
    ],
)
def test_icelandic_inflection(sentence: str, found: Fault | None) -> None:
    assert fault(sentence, ICELANDIC, language="is", source="is") is found


def test_across_languages_numbers_and_full_names_are_compared() -> None:
    assert fault("Nýja ferjan kostar 12 milljónir dollara.", FERRY, language="is", source="en") is None
    assert fault("Nýja ferjan kostar 13 milljónir dollara.", FERRY, language="is", source="en") is Fault.NUMBER
    assert fault("Ferjan kostar 12 milljónir, segir Pétur Olsen.", FERRY, language="is", source="en") is Fault.NAME


def test_scripts_without_spaces() -> None:
    evidence = lines("新しいフェリーは450人の乗客を運びます。")
    assert fault("フェリーは450人を運びます。", evidence, language="ja", source="ja") is None
    assert fault("フェリーは540人を運びます。", evidence, language="ja", source="ja") is Fault.NUMBER
    assert fault("市長は辞任しました。", evidence, language="ja", source="ja") is Fault.WORDS


@pytest.mark.parametrize(
    ("text", "language", "found"),
    [
        ("1,200 and 3.5", "en", {1200.0, 3.5}),
        ("1.200 og 3,5", "is", {1200.0, 3.5}),
        ("twenty-five of two hundred", "en", {25.0, 200.0}),
        ("tuttugu og fimm", "is", {25.0}),
        ("12 million, two thousand", "en", {12e6, 2000.0}),
        ("at 10:30", "en", {1030.0}),
        ("dos mil", "es", {2000.0}),
        ("nothing here", "en", set()),
        ("12.3.2026", "is", {1232026.0}),
    ],
)
def test_numbers(text: str, language: str, found: set[float]) -> None:
    assert numbers(text, language) == found


def test_owner_and_date_must_have_been_said() -> None:
    said = lines("I will send it by Friday.", speaker="Maria")
    assert is_said("Maria", said, with_speakers=True)
    assert not is_said("Maria", said)
    assert is_said("by Friday", said)
    assert not is_said("by Monday", said)
    assert not is_said("", said)
