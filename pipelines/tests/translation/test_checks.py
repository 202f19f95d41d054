"""What a translation must keep, what is rejected, and which hypothesis is chosen."""

from __future__ import annotations

import pytest

from pipelines.messages.translate import GlossaryTerm, LineFlag, TargetLine
from pipelines.translation.checks import Checker, Losses, flag_unsure
from pipelines.translation.choice import Candidate, best_of
from pipelines.translation.recut import Row
from pipelines.translation.terms.glossary import TermIndex, missing
from pipelines.translation.terms.glossary_file import UnreadableGlossary, read_glossary
from pipelines.translation.texts.names import lost_names
from pipelines.translation.texts.numbers import lost_numbers
from pipelines.translation.usable import is_usable


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("The budget is 12,500 euros.", "Fjárhagsáætlunin er 12.500 evrur."),
        ("12 500 people", "12.500 manns"),
        ("It grew 1.5 percent", "Það óx um 1,5 prósent"),
        ("At 10:30", "Klukkan 10.30"),
        ("30-40 people", "30 til 40 manns"),
        ("On 24/12/2025", "24.12.2025"),
        ("Room 5", "غرفة ٥"),
        ("He is twenty", "Hann er 20 ára"),
    ],
)
def test_numbers_may_be_written_in_another_way(source: str, target: str) -> None:
    assert lost_numbers(source, target) == []


@pytest.mark.parametrize(
    ("source", "target", "lost"),
    [
        ("We sold 48 tickets", "Vendimos 84 entradas", ["48"]),
        ("It is 1.5", "Það er 15", ["1.5"]),
        ("5 and 5", "5", ["5"]),
        ("In 1987", "Árið", ["1987"]),
    ],
)
def test_changed_numbers_are_listed(source: str, target: str, lost: list[str]) -> None:
    assert lost_numbers(source, target) == lost


@pytest.mark.parametrize(
    ("source", "target", "speakers"),
    [
        ("I saw Jón Jónsson there", "Ég sá Jón þar", ()),
        ("I told Anna that", "Ég sagði Önnu það og Anna skildi", ("Anna",)),
        ("We flew to New York", "Volamos a Nueva York", ()),
        ("Iceland is cold in January", "Ísland er kalt í janúar", ()),
        ("I met Jón Jónsson", "私はヨーン・ヨーンソンに会った", ()),
        ("See https://example.com/a.", "Sjá https://example.com/a.", ()),
        ("He bought a Haus", "Hann keypti hús", ()),
    ],
)
def test_names_that_stay_are_not_flagged(source: str, target: str, speakers: tuple[str, ...]) -> None:
    assert lost_names(source, target, "en", speakers) == []


@pytest.mark.parametrize(
    ("source", "target", "speakers"),
    [
        ("I saw Jane Austen there", "Ég sá hana þar", ()),
        ("I asked Mr. Smith", "Ég spurði hann", ()),
        ("I told Anna that", "Ég sagði það", ("Anna",)),
        ("Write to info@example.com", "Skrifaðu okkur", ()),
        ("The H100 is fast", "Kortið er hratt", ()),
    ],
)
def test_lost_names_are_listed(source: str, target: str, speakers: tuple[str, ...]) -> None:
    assert lost_names(source, target, "en", speakers)


def term(source: str, target: str, case: bool = False) -> GlossaryTerm:
    return GlossaryTerm(source=source, target=target, case_sensitive=case)


@pytest.mark.parametrize(
    ("language", "word", "form"),
    [
        ("is", "hestur", "hestinum"),
        ("is", "saga", "sögunnar"),
        ("is", "ráðuneyti", "ráðuneytisins"),
        ("de", "Vertrag", "Verträge"),
        ("de", "Vertrag", "Vertrages"),
        ("es", "contrato", "contratos"),
        ("es", "niño", "niñas"),
        ("en", "horse", "horses"),
        ("ja", "契約", "この契約は"),
        ("en", "prime minister", "the Prime Minister's"),
    ],
)
def test_inflected_terms_are_recognised(language: str, word: str, form: str) -> None:
    assert missing(f"xx {form} xx", [term("x", word)], language) == []


def test_terms_occur_by_case_and_the_longer_one_hides_the_shorter() -> None:
    terms = [term("nations", "þjóðir"), term("United Nations", "Sameinuðu þjóðirnar"), term("IT", "UT", case=True)]
    found = TermIndex(terms, "en").terms_in("The United Nations said it.")
    assert [each.source for each in found] == ["United Nations"]
    assert [each.source for each in TermIndex(terms, "en").terms_in("Our IT department")] == ["IT"]
    assert missing("þetta er annað", found, "is") == found


@pytest.mark.parametrize(("text", "held"), [("Ray Serves", True), ("ray serve", True), ("Ráy Sérvé", False)])
def test_a_term_that_stays_keeps_its_letters(text: str, held: bool) -> None:
    stays = term("Ray Serve", "Ray Serve")
    assert missing(f"xx {text}, xx", [stays], "is") == ([] if held else [stays])


def test_a_glossary_file_is_read_and_refused() -> None:
    assert read_glossary("\ufeffsource;target;case\nhorse;hestur;\nRay;;yes\n") == (
        term("horse", "hestur"),
        term("Ray", "Ray", case=True),
    )
    with pytest.raises(UnreadableGlossary, match="columns"):
        read_glossary("horse,hestur\n")


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("", "Hello"),
        ("...", "Hello"),
        ("já já já já já já já já", "Yes, I think so"),
        ("x" * 200, "Hello"),
        ('{"1": "Halló"}', "Hello"),
        ("Halló <unk>", "Hello"),
        ("the cat sat the cat sat the cat sat the cat sat", "Hello there"),
    ],
)
def test_garbage_is_rejected(text: str, source: str) -> None:
    assert not is_usable(text, source)


def test_what_the_source_repeats_may_be_repeated() -> None:
    assert is_usable("nei nei nei nei nei nei nei", "no no no no no no no")
    assert is_usable("Halló", "Hello")


NOTHING = Losses()


def candidate(text: str, probability: float | None, losses: Losses = NOTHING, long: bool = False) -> Candidate:
    return Candidate(text, (Row(0, 1, text),), probability, False, losses, long)


def test_the_most_probable_hypothesis_that_fits_and_keeps_its_numbers_is_chosen() -> None:
    lost = Losses(numbers=("48",))
    assert best_of([candidate("a", -0.2, long=True), candidate("b", -0.4)]).text == "b"  # type: ignore[union-attr]
    assert best_of([candidate("a", -0.2, long=True), candidate("b", -1.4)]).text == "a"  # type: ignore[union-attr]
    assert best_of([candidate("a", -0.2, lost), candidate("b", -0.9, long=True)]).text == "b"  # type: ignore[union-attr]
    assert best_of([candidate("a", None), candidate("b", None)]).text == "a"  # type: ignore[union-attr]
    assert best_of([]) is None


def test_losses_are_flagged_on_the_row_they_belong_to() -> None:
    checker = Checker("en", "is")
    sources = ("We sold 48 tickets", "to <i>Jane Austen</i> of H100")
    terms = [term("tickets", "miði")]
    losses = checker.losses(" ".join(sources), "Við seldum til", terms)
    first, second = checker.row_flags(losses, sources)
    assert first == {LineFlag.NUMBER_CHANGED, LineFlag.GLOSSARY_MISS}
    assert second == {LineFlag.NAME_CHANGED, LineFlag.TAG_CHANGED}


def test_at_most_five_percent_of_the_lines_are_unsure() -> None:
    lines = [
        TargetLine(source_ids=(str(n),), source_texts=("x",), start_ms=0, end_ms=1, text="y", log_probability=-n / 10)
        for n in range(40)
    ]
    flagged = [line.source_ids[0] for line in flag_unsure(lines) if LineFlag.UNSURE in line.flags]
    assert flagged == ["38", "39"]
    assert not any(line.flags for line in flag_unsure(lines[-1:]))
    assert flag_unsure(lines[-1:], lines[:-1])[0].flags == (LineFlag.UNSURE,)
