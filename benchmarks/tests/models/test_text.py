"""AI texts: ROUGE by hand, transcripts in each form, and a real run with the tiny chat model."""

from __future__ import annotations

from pathlib import Path

import pytest
import typer

from benchmarks.measure.datasets.folder import BadDataset
from benchmarks.measure.models.text.command import command
from benchmarks.measure.models.text.rouge import rouge_l, rouge_n
from benchmarks.measure.models.text.transcripts import read_transcripts
from benchmarks.measure.outcomes.outcome import read_outcome
from benchmarks.measure.outcomes.scoring import value
from pipelines.messages.minutes import TextType


def test_rouge_by_hand() -> None:
    answer, reference = "the cat sat on the mat", "the cat was on the mat"
    assert rouge_n(answer, reference, "en", 1) == pytest.approx(2 * 5 / 12)
    assert rouge_n(answer, reference, "en", 2) == pytest.approx(2 * 3 / 10)
    assert rouge_l(answer, reference, "en") == pytest.approx(2 * 5 / 12)
    assert rouge_n("Það er gott", "það ER gott!", "is", 1) == 1
    assert rouge_l("", "", "en") == 0


def test_transcripts_with_speakers_and_references(tmp_path: Path) -> None:
    (tmp_path / "is" / "council").mkdir(parents=True)
    (tmp_path / "is" / "council" / "fundur.txt").write_text("Anna: Góðan daginn.\n\nKlukkan er 10:30.\n", "utf-8")
    (tmp_path / "is" / "council" / "fundur.short.md").write_text("Stuttur texti.", encoding="utf-8")
    (tmp_path / "talk.srt").write_text("1\n00:00:01,000 --> 00:00:02,000\nHello\n")
    transcripts = read_transcripts(tmp_path, "")
    (meeting,) = transcripts.items
    assert (meeting.language, meeting.condition) == ("is", "council")
    assert [(line.speaker, line.text) for line in meeting.lines] == [
        ("Anna", "Góðan daginn."),
        (None, "Klukkan er 10:30."),
    ]
    assert meeting.references == {TextType.SHORT: "Stuttur texti."}
    assert any("talk.srt was left out: name its language" in note for note in transcripts.notes)
    assert len(read_transcripts(tmp_path, "en").items) == 2
    with pytest.raises(BadDataset, match="Expected are transcripts"):
        read_transcripts(tmp_path / "is" / "council" / "none", "")


@pytest.mark.long
def test_a_run_of_the_tiny_model_finds_its_unsupported_sentences(tmp_path: Path) -> None:
    out = tmp_path / "text.json"
    # Two threads of one call wait for each other on a busy machine.
    command(made=True, threads=1, type=[TextType.MINUTES, TextType.BLOG], out=out)
    outcome = read_outcome(out)
    (run,) = outcome.systems
    assert run.engine == "ct2_llm"
    assert {item.problem for item in run.items} == {""}
    values = {metric.key: value(metric, run.items) for metric in outcome.metrics}
    assert values["rouge1"] is not None
    assert values["rouge1"] > 70
    by_type = {item.condition: value(outcome.metrics[0], [item]) for item in run.items}
    # The tiny model states a wrong number in its blog.
    assert by_type["type minutes"] == 100
    assert by_type["type blog"] is not None
    assert by_type["type blog"] < 100


@pytest.mark.long
def test_a_folder_without_a_model_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.txt").write_text("Hello there.")
    (tmp_path / "model").mkdir()
    with pytest.raises(typer.Exit):
        command(tmp_path, model=[str(tmp_path / "model")], language="en")
    assert capsys.readouterr().err.startswith("The model ")
