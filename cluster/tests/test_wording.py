"""Sentences as codes with values: what each language makes of them."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from cluster.wording import catalogue as catalogues
from cluster.wording.message import Message, Wording, in_language, message_of
from cluster.wording.values import plural_index, rendered

KEYS = Wording("test.keys", "You have one key, {name}.", "You have {count:,} keys.")
LINES = Wording("test.lines", "{lines} {lines:line|lines} on {files} {files:page|pages}, since {day}.")
OUTER = Wording("test.outer", "It failed. {reason}")

POLISH = """
msgctxt "test.keys"
msgid "You have one key, {name}."
msgid_plural "You have {count:,} keys."
msgstr[0] "Masz klucz {name}."
msgstr[1] "Masz {count} klucze."
msgstr[2] "Masz {count} kluczy."

msgctxt "test.outer"
msgid "It failed. {reason}"
msgstr "Nie udało się. {reason}"

#, fuzzy
msgctxt "test.lines"
msgid "An older form"
msgstr "Przestarzałe"
"""


@pytest.fixture(autouse=True)
def polish(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A third language is a file beside its domain, and nothing else."""
    folder = tmp_path / "api/keys/locale"
    folder.mkdir(parents=True)
    (folder / "pl.po").write_text('msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n' + POLISH)
    monkeypatch.setattr(catalogues, "ROOT", tmp_path)
    for each in (catalogues.languages, catalogues.catalogue, catalogues.english_forms):
        each.cache_clear()
    yield
    monkeypatch.undo()
    for each in (catalogues.languages, catalogues.catalogue, catalogues.english_forms):
        each.cache_clear()


def test_a_message_is_its_english_sentence() -> None:
    assert KEYS(count=1, name="CI") == "You have one key, CI."
    assert KEYS(count=1_234, name="CI") == "You have 1,234 keys."
    said = LINES(lines=1, files=2, day=date(2027, 3, 4))
    assert said == "1 line on 2 pages, since 4 March 2027."
    assert Message("test.plain", "Braces {stay} where no value stands.") == "Braces {stay} where no value stands."


@pytest.mark.parametrize(
    ("count", "expected"),
    [(1, "Masz klucz CI."), (3, "Masz 3 klucze."), (5, "Masz 5 kluczy."), (2.5, "Masz 2,5 kluczy.")],
)
def test_each_language_has_its_own_plurals(count: float, expected: str) -> None:
    assert KEYS(count=count, name="CI").text("pl") == expected


def test_icelandic_counts_21_as_one() -> None:
    assert [plural_index(count, "is") for count in (1, 2, 11, 21, 101, 111)] == [0, 1, 1, 0, 0, 1]


def test_values_are_written_as_the_language_writes_them() -> None:
    values = {"size": 1_234.5, "day": date(2027, 3, 4), "count": 21}
    assert rendered("{size:,.1f} {day} {count:lína|línur}", values, "is") == "1.234,5 4. mars 2027 lína"
    assert rendered("{size:,.1f} {day}", values, "de") == "1.234,5 4. März 2027"


def test_a_message_in_a_message_is_rendered_too() -> None:
    whole = OUTER(reason=KEYS(count=1, name="CI"))
    assert whole == "It failed. You have one key, CI."
    assert whole.text("pl") == "Nie udało się. Masz klucz CI."


def test_what_is_not_translated_stays_english() -> None:
    said = LINES(lines=1, files=1, day=date(2027, 3, 4))
    assert said.text("pl") == str(said) == said.text("sv")
    assert in_language("what people write", "pl") == "what people write"


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda message: pickle.loads(pickle.dumps(message))])
def test_a_message_that_crosses_a_process_keeps_its_code(copied: object) -> None:
    whole = OUTER(reason=KEYS(count=2, name="CI"))
    other = copied(whole)  # type: ignore[operator]
    assert other == whole
    assert other.text("pl") == "Nie udało się. Masz 2 klucze."


def test_a_stored_message_comes_back() -> None:
    whole = OUTER(reason=KEYS(count=2, name="CI"))
    assert whole.as_json() == {
        "code": "test.outer",
        "values": {"reason": {"code": "test.keys", "values": {"count": 2, "name": "CI"}}},
    }
    again = message_of(whole.as_json())
    assert (again, again.text("pl")) == (whole, whole.text("pl"))
    assert message_of({"code": "gone", "values": {"day": {"day": "2027-03-04"}}}) == "gone"


def test_a_number_that_came_as_text_still_gives_a_sentence() -> None:
    message = Message("tests.lines", "{count:,} {count:line|lines}", count="many")
    assert message == "many lines"
