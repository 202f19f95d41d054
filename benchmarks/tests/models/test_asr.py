"""Scores of speech against known values, and a real run with the tiny Whisper."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import typer

from benchmarks.measure.datasets.folder import AudioItem
from benchmarks.measure.datasets.references import ReferenceLine
from benchmarks.measure.models.asr.answer import SpeechAnswer, SpokenWord
from benchmarks.measure.models.asr.calibration import calibration_error
from benchmarks.measure.models.asr.command import command
from benchmarks.measure.models.asr.normalise import words_of
from benchmarks.measure.models.asr.scores import judge
from benchmarks.measure.models.asr.systems import PEERS
from benchmarks.measure.outcomes.outcome import Outcome, read_outcome
from benchmarks.measure.outcomes.scoring import value
from pipelines.captions.reading.srt import format_srt
from pipelines.messages.lines import CaptionLine
from serve.core.text.compared_words import characters_of
from serve.testing.tiny_models.archives import WHISPER, unpack
from serve.testing.tiny_models.clips import clip_named, synthesise


@pytest.mark.parametrize(
    ("language", "text", "words"),
    [
        ("en", "I've got twenty-one colours!", "i have got 21 colors"),
        ("is", "Góðan daginn, ÞAÐ er „ég“ – á Öxará.", "góðan daginn það er ég á öxará"),
        ("is", "Verðið er 1.000.000 kr.", "verðið er 1000000 kr"),
        ("fr", "L’été (rires) aujourd'hui: «‘non’»", "l'été aujourd'hui non"),
        ("tr", "IŞIK İYİ", "ışık iyi"),
        ("de", "STRASSE, Straße", "strasse strasse"),
        ("zh", "今天天氣很好，OK？", "今 天 天 氣 很 好 ok"),
        ("ja", "カラオケ 3 回", "カ ラ オ ケ 3 回"),
        ("ar", "مُحَمَّد", "محمد"),
        ("hi", "हिन्दी है।", "हिन्दी है"),
        ("", "co\u00adoperate", "cooperate"),
    ],
)
def test_words_are_compared_in_one_form(language: str, text: str, words: str) -> None:
    assert words_of(text, language) == words.split()


def test_characters_have_spaces_only_where_the_script_has_them() -> None:
    assert characters_of(["góðan", "daginn"]) == "góðan daginn"
    assert characters_of(["今", "天"]) == "今天"


def _answer(*words: tuple[str, int, int, float]) -> SpeechAnswer:
    return SpeechAnswer(tuple(SpokenWord(*word) for word in words), "is")


def test_errors_times_and_confidence_of_an_answer() -> None:
    lines = (ReferenceLine(0, 1000, "góðan daginn"), ReferenceLine(2000, 3000, "ég heiti Jón"))
    item = AudioItem("a", Path("a.wav"), "góðan daginn ég heiti Jón", "is", lines=lines)
    answer = _answer(
        ("Góðan", 100, 400, 0.9), ("daginn,", 400, 900, 0.8), ("ég", 1950, 2100, 0.7), ("heitir", 2100, 2500, 0.4),
        ("Jón", 2500, 3300, 0.9), ("svo", 3300, 3400, 0.2),
    )  # fmt: skip
    values: dict[str, object] = dict(judge(item, answer).values)
    assert [values[kind] for kind in ("wer", "replaced", "left_out", "added")] == [(2, 5), (1, 5), (0, 5), (1, 5)]
    assert values["line_start"] == (100 + 50, 2)
    assert values["line_end"] == (100 + 300, 2)
    assert values["brier"] == (pytest.approx(0.01 + 0.04 + 0.09 + 0.16 + 0.01 + 0.04), 6)


def test_silence_ignored_times_and_empty_answers() -> None:
    silence = AudioItem("s", Path("s.wav"), "", "is")
    assert judge(silence, _answer()).values == {"invented": (0, 1)}
    assert judge(silence, _answer(("takk", 0, 1, 0.5))).values == {"invented": (1, 1)}
    item = AudioItem("a", Path("a.wav"), "takk fyrir", "is", ignored=((1000, 2000),))
    said = _answer(("takk", 0, 400, 1.0), ("eitthvað", 1200, 1500, 1.0), ("fyrir", 2100, 2500, 1.0))
    assert judge(item, said).values["wer"] == (0, 2)
    assert judge(item, _answer()).values["wer"] == (2, 2)
    assert judge(item, _answer()).values["cer"] == (10, 10)


def test_calibration_is_the_distance_of_confidence_from_right() -> None:
    assert calibration_error([(0.95, True)] * 95 + [(0.95, False)] * 5) == pytest.approx(0)
    assert calibration_error([(0.95, False)] * 10) == pytest.approx(0.95)


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    """The tiny model through the product, and bare faster-whisper, over two sentences, one with a wrong reference."""
    root = tmp_path_factory.mktemp("asr")
    data = root / "data"
    model = unpack(WHISPER, root / "models")
    for language, name in (("is", "is1-m"), ("en", "en1-rms")):
        (data / language).mkdir(parents=True)
        synthesise(clip_named(name), data / language / f"{name}.wav")
    right = CaptionLine("1", 0, 2000, clip_named("is1-m").text)
    (data / "is" / "is1-m.srt").write_text(format_srt([right]), encoding="utf-8")
    (data / "en" / "en1-rms.txt").write_text("The weather was fine today.")
    (data / "broken.wav").write_text("not sound")
    (data / "broken.txt").write_text("not sound")
    out = root / "result.json"
    command(data, model=[str(model)], peer=["faster-whisper"], silence=False, warm_up=False, out=out)
    return read_outcome(out)


@pytest.mark.long
def test_a_run_finds_the_wrong_word_of_one_reference(measured: Outcome) -> None:
    wer = measured.metrics[0]
    for run in measured.systems:
        assert [item.problem for item in run.items] == ["", ""]
        by_language = {item.language: value(wer, [item]) for item in run.items}
        assert by_language == {"en": pytest.approx(20), "is": 0}
        figures = {figure.name: figure.value for figure in run.figures}
        assert figures["memory peak"] > 50
    assert [run.engine for run in measured.systems] == ["whisper", "faster-whisper"]
    assert {"speed", "brier", "line_start"} <= {metric.key for metric in measured.metrics}


def test_it_says_with_what_and_where(measured: Outcome) -> None:
    assert any("broken.wav was left out" in note for note in measured.data.notes)
    assert measured.data.languages == ("en", "is")
    assert measured.machine.cores >= 1
    assert "ctranslate2" in measured.versions
    assert measured.systems[0].configuration["profile"]["compute_type"]


def test_wrong_choices_get_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cases: tuple[tuple[dict[str, Any], str], ...] = (
        ({}, "try it with --made"),
        ({"folder": tmp_path / "none"}, "There is no folder"),
        ({"folder": tmp_path, "engine": "dragon"}, "The options do not fit: engine"),
        ({"folder": tmp_path, "peer": ["dragon"]}, f"There are {', '.join(PEERS)}"),
        ({"folder": tmp_path, "peer": ["faster-whisper"]}, "Name the model of “faster-whisper”"),
        ({"folder": tmp_path, "profile": "huge"}, "There is no profile “huge”"),
    )
    for options, sentence in cases:
        with pytest.raises(typer.Exit):
            command(**options)
        assert sentence in capsys.readouterr().err
