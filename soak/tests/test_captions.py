"""The campaign over subtitle files in small: no crash, no hang, and nothing lost from whole files."""

from __future__ import annotations

import pytest

from pipelines.captions.subtitles import parse_subtitles
from soak.captions import batch
from soak.captions.command import batches
from soak.captions.generate import READABLE, made


def test_a_few_thousand_files_lose_nothing_and_break_nothing() -> None:
    found = batch.run(7, 0, 2_100)
    assert found["defects"] == {}
    assert found["seen"]["read"] > 1_000
    assert found["seen"]["refused with a sentence"] > 0


def test_a_process_that_dies_is_a_defect(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/bin/false")
    (dead,) = batches(1, 0, 10, workers=1)
    assert "dies with 1 in the 10 files from here" in dead["defects"]["0"]


def test_every_form_is_made_whole_and_broken() -> None:
    files = [made(1, number) for number in range(6 * len(READABLE))]
    assert {file.form for file in files if file.lines is not None} == set(READABLE)
    assert {file.form for file in files if file.lines is None} == set(READABLE)
    assert made(1, 5) == made(1, 5)


def test_a_lost_line_is_a_defect(monkeypatch: pytest.MonkeyPatch) -> None:
    def forgetful(raw: bytes, language: str | None = None) -> object:
        found = parse_subtitles(raw, language)
        return type(found)(found.lines[1:], found.notes, found.speakers, found.form, found.keeps)

    monkeypatch.setattr(batch, "parse_subtitles", forgetful)
    assert batch.run(7, 0, 60)["defects"] != {}
