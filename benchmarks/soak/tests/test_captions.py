"""The campaign over subtitle files in small: no crash, no hang, and nothing lost from whole files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.soak.captions import batch, mutants, round_trip
from benchmarks.soak.captions.command import batches
from benchmarks.soak.captions.generate import READABLE, made
from pipelines.captions.forms.form import CaptionFormat, Document
from pipelines.captions.forms.registry import write
from pipelines.captions.imports.subtitles import Imported, parse_subtitles
from pipelines.messages.lines import CaptionLine


@pytest.mark.long
def test_a_few_thousand_files_lose_nothing_and_break_nothing() -> None:
    found = batch.run(7, 0, 2_100)
    assert found["defects"] == {}
    assert found["seen"]["read"] > 1_000
    assert found["seen"]["refused with a sentence"] > 0


def test_no_mutant_loses_letters_in_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    found = mutants.run(7, 0, 600)
    assert found["defects"] == {}
    assert {kind.rpartition(", ")[2] for kind in found["seen"]} == {"with a note", "without a note", "refused"}

    def forgetful(raw: bytes, language: str | None = None) -> Imported:
        whole = parse_subtitles(raw, language)
        return replace(whole, lines=whole.lines[1:], notes=())

    monkeypatch.setattr(mutants, "parse_subtitles", forgetful)
    assert len(mutants.run(7, 0, 40)["defects"]) > 20


def test_a_process_that_dies_is_a_defect(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/bin/false")
    (dead,) = batches(1, 0, 10, workers=1)
    assert "dies with 1 in the 10 files from here" in dead["defects"]["0"]


@pytest.mark.long
def test_a_campaign_goes_on_after_a_break(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = tmp_path / "journal"
    first = list(batches(1, 0, 20, workers=1, batch=10, journal=journal))
    monkeypatch.setattr("sys.executable", "/bin/false")
    *again, new = batches(1, 0, 30, workers=1, batch=10, journal=journal)
    assert [each["seen"] for each in again] == [each["seen"] for each in first]
    assert new["defects"]


def test_every_form_is_made_whole_and_broken() -> None:
    files = [made(1, number) for number in range(6 * len(READABLE))]
    assert {file.form for file in files if file.lines is not None} == set(READABLE)
    assert {file.form for file in files if not file.is_whole} >= set(READABLE)
    assert any(file.said for file in files)
    assert made(1, 5) == made(1, 5)


def test_a_lost_line_is_a_defect(monkeypatch: pytest.MonkeyPatch) -> None:
    def forgetful(raw: bytes, language: str | None = None) -> object:
        found = parse_subtitles(raw, language)
        return type(found)(found.lines[1:], found.notes, found.speakers, found.form, found.keeps)

    monkeypatch.setattr(batch, "parse_subtitles", forgetful)
    assert batch.run(7, 0, 60)["defects"] != {}


@pytest.mark.long
@pytest.mark.parametrize("form", [form for form in round_trip.FORMS if form is not CaptionFormat.DOCX])
def test_a_line_lost_in_another_form_is_a_defect(monkeypatch: pytest.MonkeyPatch, form: CaptionFormat) -> None:
    def forgetful(form: CaptionFormat, document: Document) -> bytes:
        return write(form, replace(document, lines=document.lines[1:]))

    said = (CaptionLine("1", 1_000, 2_000, "one"), CaptionLine("2", 3_000, 4_000, "two"))
    number = round_trip.FORMS.index(form)
    assert round_trip.lost_on_the_way(Imported(said), number, "en-US") == ""
    monkeypatch.setattr(round_trip, "write", forgetful)
    assert round_trip.lost_on_the_way(Imported(said), number, "en-US").startswith(f"as {form.value}: ")
