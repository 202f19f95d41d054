"""The catalogues of the server's sentences follow the declarations."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.manifests import messages
from cluster.wording import catalogue

SOURCE = """
NOT_YOURS = Message("keys.not_yours", "This key is "
    "not yours.")
raise Refused(Message("keys.too_many", "You have {count} keys.", count=len(keys(1, "x"))))
LEFT = Wording("keys.left", "One key is left.", "{count} keys are left.")
LOST = Wording(
    "keys.lost",
    "The key {name} "
    "is lost.",
)
"""
ICELANDIC = {
    "not_yours": "Ekki þinn lykill.",
    "too_many": "Þú átt {count}.",
    "lost": "Lykillinn {name} er týndur.",
}


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    folder = tmp_path / "api/people/keys"
    folder.mkdir(parents=True)
    (folder / "errors.py").write_text(SOURCE)
    monkeypatch.setattr(messages, "ROOT", tmp_path)
    monkeypatch.setattr(catalogue, "ROOT", tmp_path)
    messages.declared.cache_clear()
    yield folder
    messages.declared.cache_clear()


def translate(file: Path, **by_code: str) -> None:
    text = file.read_text()
    for code, translated in by_code.items():
        head, mark, rest = text.partition(f'msgctxt "keys.{code}"')
        text = head + mark + rest.replace('msgstr ""', f'msgstr "{translated}"', 1)
    file.write_text(text.replace('msgstr[0] ""', 'msgstr[0] "Einn"').replace('msgstr[1] ""', 'msgstr[1] "{count}"'))


def changed(room: Path, before: str, after: str) -> None:
    source = room / "errors.py"
    source.write_text(source.read_text().replace(before, after))
    messages.declared.cache_clear()


def test_declared_sentences_come_into_the_catalogue_and_must_be_translated(room: Path) -> None:
    assert [problem.split(" is ")[0] for problem in messages.message_problems()] == ["api/people/keys/locale/is.po"]
    messages.write_messages()
    file = room / "locale/is.po"
    assert 'msgid "This key is not yours."' in file.read_text()
    assert len(list(messages.message_problems())) == 4
    translate(file, **ICELANDIC)
    assert list(messages.message_problems()) == []


def test_a_changed_sentence_must_be_translated_again(room: Path) -> None:
    messages.write_messages()
    file = room / "locale/is.po"
    translate(file, **ICELANDIC)
    changed(room, "You have {count} keys.", "There are {count} keys.")
    assert "older than the declared wordings" in "".join(messages.message_problems())
    messages.write_messages()
    assert list(messages.message_problems()) == ["api/people/keys/locale/is.po: keys.too_many is not translated"]
    assert "Þú átt {count}." in file.read_text()


def test_another_language_is_complete_where_it_has_a_file(room: Path) -> None:
    messages.write_messages()
    translate(
        room / "locale/is.po",
        not_yours="Ekki þinn lykill.",
        too_many="Þú átt {count}.",
        lost="Lykillinn {name} er týndur.",
    )
    (room / "locale/de.po").touch()
    messages.write_messages()
    assert {problem.split(":")[0] for problem in messages.message_problems()} == {"api/people/keys/locale/de.po"}


def test_a_code_is_declared_once(room: Path) -> None:
    changed(room, '"keys.not_yours"', '"keys.too_many"')
    assert "is declared in" in next(messages.message_problems())
