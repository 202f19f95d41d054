"""Translation: parts of scores against sacrebleu, corpora in each form, and a real run with the tiny model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import typer
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF

from benchmarks.measure.datasets.folder import BadDataset
from benchmarks.measure.models.translation.command import command
from benchmarks.measure.models.translation.corpus import read_corpus
from benchmarks.measure.models.translation.ngrams import bleu_parts, chrf_parts
from benchmarks.measure.models.translation.scores import METRICS, Direction, items_of
from benchmarks.measure.outcomes.outcome import read_outcome
from benchmarks.measure.outcomes.scoring import over, value
from pipelines.messages.translate import GlossaryTerm, TargetLine

ANSWERS = ("Veðrið er gott í dag.", "Brúin er löng", "", "Algjörlega annað (já)!")
REFERENCES = ("Veðrið er mjög gott í dag.", "Brúin er mjög löng.", "Hér er eitthvað", "Sjórinn er kaldur")
BY_KEY = {metric.key: metric for metric in METRICS}


def test_scores_of_parts_are_those_of_sacrebleu() -> None:
    wanted = {
        "chrf": CHRF(word_order=2).corpus_score(ANSWERS, [REFERENCES]).score,
        "bleu": BLEU().corpus_score(ANSWERS, [REFERENCES]).score,
    }
    pairs = list(zip(ANSWERS, REFERENCES, strict=True))
    parts = {
        "chrf": np.array([chrf_parts(*pair) for pair in pairs]),
        "bleu": np.array([bleu_parts(*pair, "is") for pair in pairs], np.float64),
    }
    for key, rows in parts.items():
        assert over(BY_KEY[key], rows, np.ones((1, len(rows))))[0] == pytest.approx(wanted[key])
    assert over(BY_KEY["bleu"], np.array([bleu_parts("今天很好", "今天很好", "zh")]), np.ones((1, 1)))[0] == 100


def test_subtitles_pair_by_their_times(tmp_path: Path) -> None:
    (tmp_path / "talk.en.srt").write_text(
        "1\n00:00:00,000 --> 00:00:01,000\nOne\n\n2\n00:00:01,100 --> 00:00:02,000\nand two\n\n"
        "3\n00:00:05,000 --> 00:00:06,000\nThree\n"
    )
    (tmp_path / "talk.is.srt").write_text(
        "1\n00:00:00,000 --> 00:00:02,000\nEinn og tveir\n\n2\n00:00:05,000 --> 00:00:06,000\nÞrír\n", encoding="utf-8"
    )
    (tmp_path / "alone.en.srt").write_text("1\n00:00:00,000 --> 00:00:01,000\nAlone\n")
    corpus = read_corpus(tmp_path, "en", "is")
    (document,) = corpus.documents
    assert [(block.first, block.after, block.reference) for block in document.blocks] == [
        (0, 2, "Einn og tveir"),
        (2, 3, "Þrír"),
    ]
    assert "alone.en.srt has no translation beside it, such as alone.is.srt." in corpus.notes


def test_parallel_texts_and_tables(tmp_path: Path) -> None:
    (tmp_path / "news").mkdir()
    (tmp_path / "news" / "day.en.txt").write_text("One\nTwo\n")
    (tmp_path / "news" / "day.is.txt").write_text("Einn\nTveir\n")
    (tmp_path / "pairs.tsv").write_text("source\ttarget\tdocument\nThree\tÞrír\ta\nFour\tFjórir\tb\n", encoding="utf-8")
    documents = {document.name: document for document in read_corpus(tmp_path, "en-US", "is").documents}
    assert documents.keys() == {"day", "a", "b"}
    assert documents["day"].condition == "news"
    assert [block.reference for block in documents["day"].blocks] == ["Einn", "Tveir"]
    (tmp_path / "news" / "day.is.txt").write_text("Einn\n")
    assert any("day.is.txt has 1" in note for note in read_corpus(tmp_path, "en", "is").notes)
    with pytest.raises(BadDataset, match="is both in “en” and in “de”"):
        read_corpus(tmp_path / "news", "en", "de")


def test_terms_numbers_and_empty_answers_of_a_document(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("source,target\nThe bridge is 12 m long.,Brúin er 12 m löng.\nYes.,Já.\n", "utf-8")
    (document,) = read_corpus(tmp_path, "en", "is").documents
    lines = [
        TargetLine(
            source_ids=(line.id,), source_texts=(line.text,), start_ms=line.start_ms, end_ms=line.end_ms, text=text
        )
        for line, text in zip(document.lines, ("Sjórinn er 13 m langur.", ""), strict=True)
    ]
    terms = (GlossaryTerm(source="bridge", target="brú"),)
    first, second, whole = items_of(document, lines, 2.0, Direction("en", "is", terms))
    assert [first.values[key] for key in ("terms", "numbers")] == [(0, 1), (0, 1)]
    assert [second.values["empty"], whole.values["speed"]] == [(1, 1), (2, 2.0)]


@pytest.mark.long
def test_a_run_of_the_tiny_model(tmp_path: Path) -> None:
    out = tmp_path / "translation.json"
    command(made=True, documents=1, out=out)
    outcome = read_outcome(out)
    flow, lines = outcome.systems
    assert flow.engine == "ct2"
    ours, theirs = (value(BY_KEY["chrf"], run.items) for run in (flow, lines))
    assert ours is not None
    assert theirs is not None
    assert ours > 90 > theirs
    assert {"suber", "terms", "profile"} <= {metric.key for metric in outcome.metrics}


@pytest.mark.long
def test_wrong_choices_get_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.csv").write_text("source,target\nYes.,Já.\n", encoding="utf-8")
    (tmp_path / "no-model").mkdir()
    cases: tuple[tuple[tuple[Any, ...], str], ...] = (
        ((None,), "try it with --made"),
        ((tmp_path,), "Name both languages"),
        ((tmp_path, "en", "is", False, [str(tmp_path / "no-model")]), "no-model"),
    )
    for arguments, sentence in cases:
        with pytest.raises(typer.Exit):
            command(*arguments)
        assert sentence in capsys.readouterr().err
