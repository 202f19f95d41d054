"""Every family of sherpa-onnx's models, on the real runtime: tiny models of the true form say one sentence each."""

from __future__ import annotations

import shutil
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from serve.catalogue.entry import catalogue, entry_named, task_of
from serve.core.messages import EngineProblem, EngineRefused, WordTimes
from serve.tasks.engine_labels import engine_label
from serve.tasks.transcription.messages import AudioWindow, DecodeOptions, WindowResult
from serve.tasks.transcription.sherpa.engine import SherpaEngine
from serve.tasks.transcription.sherpa.registry import BY_NAME, FAMILIES, family_of
from serve.testing.tiny_sherpa.script import text_of

NAMES = sorted(set(BY_NAME) - {"parakeet"})
NOISE = np.random.default_rng(0)
LOWER_CASE = {"omnilingual": "good morning reykjavík is calm"}
MISHEARD = {"zipformer": "Good morning. Rakeík is calm."}


def sound(seconds: int) -> bytes:
    return NOISE.normal(0, 3000, seconds * 16_000).astype("<i2").tobytes()


def window(language: str | None, *, seconds: int = 3, terms: tuple[str, ...] = (), index: int = 0) -> AudioWindow:
    return AudioWindow("film", index, 60_000, sound(seconds), DecodeOptions(language=language, terms=terms))


def open_engine(families: dict[str, Path], name: str) -> SherpaEngine:
    return SherpaEngine(BY_NAME[name], families[name], name="tiny", reason="Test.", parallel=2)


def text(outcome: object) -> str:
    assert isinstance(outcome, WindowResult), outcome
    return " ".join(segment.text for segment in outcome.segments)


@pytest.mark.parametrize("name", NAMES)
def test_a_folder_dropped_in_is_recognised_and_transcribes(families: dict[str, Path], name: str) -> None:
    folder = families[name]
    family = family_of(folder)
    assert family is not None
    assert family.name == name
    assert task_of(folder) == "transcription"
    engine = open_engine(families, name)
    expected = LOWER_CASE.get(name) or MISHEARD.get(name) or text_of("en")
    short, long, silent = engine.run(
        [window("en", index=4), window("en", seconds=25), AudioWindow("film", 2, 0, b"\0\0" * 32_000)]
        if name in ("omnilingual", "qwen3_asr", "sense_voice")
        else [window("en", index=4), window("en", seconds=25), window("en", seconds=1)]
    )
    assert isinstance(short, WindowResult)
    assert (short.index, short.language, text(short)) == (4, "en", expected)
    assert text(long) == expected, "also beyond the ten seconds at which Moonshine's decoder once gave up"
    if name in ("omnilingual", "qwen3_asr", "sense_voice"):
        assert text(silent) == ""
    words = [word for segment in short.segments for word in segment.words]
    assert all(60_000 <= word.start_ms <= word.end_ms <= 63_000 for word in words)
    assert all(one.end_ms <= other.start_ms for one, other in pairwise(words))
    info = engine.info
    assert (info.engine, info.model, info.device, bool(info.licence)) == (name, "tiny", "cpu", True)
    assert engine_label(name, folder.name).startswith(str(family.label.family))
    engine.close()


@pytest.mark.parametrize(
    ("name", "languages", "times", "detects", "terms"),
    [
        ("canary", 4, WordTimes.NONE, False, False),
        ("cohere", 4, WordTimes.NONE, False, False),
        ("moonshine", 1, WordTimes.NONE, False, False),
        ("omnilingual", 0, WordTimes.NATIVE, False, False),
        ("qwen3_asr", 30, WordTimes.NONE, False, True),
        ("sense_voice", 5, WordTimes.NATIVE, True, False),
        ("zipformer", 1, WordTimes.NATIVE, False, True),
    ],
)
def test_the_record_says_what_each_can_do(
    families: dict[str, Path], name: str, languages: int, times: WordTimes, detects: bool, terms: bool
) -> None:
    family = BY_NAME[name]
    info = family.info(family.open(families[name]), "tiny", "Test.")
    assert (len(info.languages), info.word_times, info.detects_language, info.takes_vocabulary) == (
        *(languages, times, detects, terms),
    )


def test_words_have_the_times_of_their_frames(families: dict[str, Path]) -> None:
    engine = open_engine(families, "zipformer")
    (outcome,) = engine.run([window("en")])
    assert isinstance(outcome, WindowResult)
    words = [word for segment in outcome.segments for word in segment.words]
    # Pieces stand in every fifth frame of 40 ms, after ten frames of silence.
    assert [word.start_ms - 60_000 for word in words] == [400, 600, 800, 1_200, 1_400]
    assert words[2].confidence < words[0].confidence
    engine.close()


@pytest.mark.long
@pytest.mark.parametrize("name", ["canary", "cohere"])
def test_the_language_of_each_window_reaches_the_model(families: dict[str, Path], name: str) -> None:
    engine = open_engine(families, name)
    assert [text(engine.run([window(language)])[0]) for language in ("de", "fr", "de")] == [
        text_of("de"),
        text_of("fr"),
        text_of("de"),
    ]
    if name == "canary":
        assert engine.batch_key(window("de")) != engine.batch_key(window("fr"))
        assert engine.parallel == 1, "its language is one for all windows"
    unnamed, unknown = engine.run([window(None), window("is")])
    assert isinstance(unnamed, EngineRefused)
    assert isinstance(unknown, EngineRefused)
    assert (unnamed.problem, unknown.problem) == (EngineProblem.UNKNOWN_LANGUAGE,) * 2
    engine.close()


@pytest.mark.long
def test_sense_voice_names_the_language_and_the_others_do_not_need_one(families: dict[str, Path]) -> None:
    detecting = open_engine(families, "sense_voice")
    (outcome,) = detecting.run([window(None)])
    assert isinstance(outcome, WindowResult)
    assert (outcome.language, text(outcome)) == ("en", text_of("en"))
    assert detecting.detect(window(None)).candidates == (("en", 0.0),)
    detecting.close()
    every = open_engine(families, "omnilingual")
    (outcome,) = every.run([window(None)])
    assert isinstance(outcome, WindowResult)
    assert (outcome.language, text(outcome)) == ("", LOWER_CASE["omnilingual"])
    assert text(every.run([window("fo")])[0]) == LOWER_CASE["omnilingual"]
    with pytest.raises(EngineRefused, match="cannot detect the language"):
        every.detect(window(None))
    every.close()


def test_each_family_has_a_model_to_pull_with_its_licence_and_the_files_it_needs(families: dict[str, Path]) -> None:
    for family in FAMILIES:
        entry = entry_named(family.pull)
        assert entry is not None, family.name
        assert entry.licence, family.name
        if family.name in families:
            # Cohere's weights are so large that they are a file of their own.
            markers = [marker for marker in entry.markers if not marker.endswith(".data")]
            assert all((families[family.name] / marker).is_file() for marker in markers), markers
            assert entry.folder == families[family.name].name
    assert len({entry.name for entry in catalogue()}) == len(catalogue())


def test_moonshine_of_another_language_is_not_for_commercial_use(families: dict[str, Path], tmp_path: Path) -> None:
    folder = shutil.copytree(families["moonshine"], tmp_path / "sherpa-onnx-moonshine-base-ar-quantized-2026-02-27")
    model = BY_NAME["moonshine"].open(folder)
    assert model.languages == frozenset({"ar"})
    assert model.is_noncommercial
