"""Streaming models of every family, in the true form of their files, run by the real runtime."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import ExitStack, closing
from difflib import SequenceMatcher
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from serve.core.messages import EngineProblem, EngineRefused
from serve.tasks.live.messages import LiveSound, LiveText
from serve.tasks.live.sherpa.engine import LiveSherpa, _starts_s
from serve.tasks.live.sherpa.registry import BY_NAME, family_of
from serve.tasks.transcription.messages import DecodeOptions
from serve.tasks.transcription.sherpa.registry import family_of as family_of_files
from serve.testing.tiny_sherpa.folders import unpack_families
from serve.testing.tiny_speller.spoken import speak
from serve.testing.tiny_streamer.folders import RUSSIAN

PIECE = 16_000
NOISE = np.random.default_rng(0).normal(0, 300, 16_000 * 4).astype("<i2").tobytes()
SAYS = {"nemotron": "Good morning. Reykjavík is calm.", "t_one": RUSSIAN}
LANGUAGES = {"nemotron": {"en"}, "t_one": {"ru"}, "zipformer_streaming": {"en"}}


@pytest.fixture(scope="module")
def engines(streaming: dict[str, Path]) -> Iterator[dict[str, LiveSherpa]]:
    """Each family's model, loaded once."""
    with ExitStack() as opened:
        yield {
            name: opened.enter_context(
                closing(LiveSherpa(family, streaming[name], name=name, reason="Test.", threads=1, max_utterances=4))
            )
            for name, family in BY_NAME.items()
        }


def pieces(pcm: bytes, stream: str, *, size: int = PIECE, language: str | None = None) -> Iterator[LiveSound]:
    for at in range(0, len(pcm), size):
        part, is_last = pcm[at : at + size], at + size >= len(pcm)
        yield LiveSound(stream, 1_000, at // 2, part, is_last, DecodeOptions(language=language))


def texts(engine: LiveSherpa, sounds: Iterator[LiveSound]) -> list[LiveText]:
    found = [outcome for sound in sounds for outcome in engine.run([sound])]
    assert all(isinstance(each, LiveText) for each in found), found
    return [each for each in found if isinstance(each, LiveText)]


def words(text: LiveText) -> str:
    return " ".join(word.text for word in text.words)


def placed(text: LiveText) -> list[tuple[str, int, int]]:
    """Words and times, without probabilities, which a batch rounds."""
    return [(word.text, word.start_ms, word.end_ms) for word in text.words]


@pytest.mark.parametrize("family", sorted(LANGUAGES))
def test_a_folder_is_known_by_its_files_and_no_other_family_takes_it(streaming: dict[str, Path], family: str) -> None:
    found = family_of(streaming[family])
    assert found is BY_NAME[family]
    assert found.open(streaming[family]).languages == LANGUAGES[family]
    assert family_of_files(streaming[family]) is None, "it cannot read a file"


def test_models_that_read_files_follow_nothing(tmp_path: Path) -> None:
    assert [name for name, folder in unpack_families(tmp_path).items() if family_of(folder)] == []


@pytest.mark.long
@pytest.mark.parametrize("family", sorted(SAYS))
def test_words_come_one_by_one_and_the_last_ones_at_the_end(engines: dict[str, LiveSherpa], family: str) -> None:
    engine = engines[family]
    found = texts(engine, pieces(NOISE, "a"))
    assert words(found[-1]) == SAYS[family]
    assert found[-1].final == len(found[-1].words)
    assert all(SAYS[family].startswith(words(each)) for each in found)
    ends = [word.end_ms for word in found[-1].words]
    assert ends == sorted(ends)
    assert all(1_000 <= word.start_ms < word.end_ms <= 5_000 for word in found[-1].words)


@pytest.mark.parametrize("family", sorted(LANGUAGES))
def test_what_is_final_never_changes_and_the_size_of_pieces_does_not_matter(
    engines: dict[str, LiveSherpa], family: str
) -> None:
    engine = engines[family]
    found = texts(engine, pieces(NOISE, "a"))
    small = texts(engine, pieces(NOISE, "b", size=3_200))
    at_once = texts(engine, pieces(NOISE, "c", size=len(NOISE)))
    whole = found[-1].words
    for each in (*found, *small):
        assert each.words[: each.final] == whole[: each.final]
    assert small[-1] == found[-1] == at_once[-1]


@pytest.mark.parametrize("family", sorted(LANGUAGES))
def test_utterances_that_share_a_call_are_read_as_if_alone(engines: dict[str, LiveSherpa], family: str) -> None:
    loud = np.random.default_rng(1).normal(0, 8_000, 16_000 * 3).astype("<i2").tobytes()
    engine = engines[family]
    alone = [texts(engine, pieces(pcm, "alone"))[-1] for pcm in (NOISE, loud)]
    sounds = {"a": list(pieces(NOISE, "a")), "b": list(pieces(loud, "b"))}
    last: dict[str, LiveText] = {}
    for step in range(max(len(each) for each in sounds.values())):
        batch = [each[step] for each in sounds.values() if step < len(each)]
        for sound, outcome in zip(batch, engine.run(batch), strict=True):
            assert isinstance(outcome, LiveText)
            last[sound.stream] = outcome
    assert [placed(last["a"]), placed(last["b"])] == [placed(each) for each in alone]


def test_a_language_that_the_model_does_not_know_is_refused(engines: dict[str, LiveSherpa]) -> None:
    engine = engines["t_one"]
    (refused,) = engine.run([next(pieces(NOISE, "a", language="en"))])
    assert texts(engine, pieces(NOISE, "b", language="ru"))[-1].words
    assert isinstance(refused, EngineRefused)
    assert refused.problem == EngineProblem.UNKNOWN_LANGUAGE
    assert "“t_one”" in refused.sentence


def test_an_utterance_without_a_sample_has_no_words(engines: dict[str, LiveSherpa]) -> None:
    engine = engines["zipformer_streaming"]
    (text,) = engine.run([LiveSound("a", 0, 0, b"", is_last=True)])
    assert isinstance(text, LiveText)
    assert engine._held == {}


def test_a_model_that_hears_writes_what_is_said_soon_after_it_was_said(
    engines: dict[str, LiveSherpa], tmp_path: Path
) -> None:
    sentence = ["the", "first", "speech", "model", "runs", "on", "the", "server", "and", "keeps", "its", "text"]
    spoken = speak(sentence, tmp_path, voice="slt")
    assert spoken.words is not None
    pcm = (spoken.samples * 32767).astype("<i2").tobytes()
    engine = engines["zipformer_streaming"]
    found = texts(engine, pieces(pcm, "a", size=6_400))
    right = SequenceMatcher(None, sentence, words(found[-1]).split()).get_matching_blocks()
    pairs = [(spoken.words[b.a + at], found[-1].words[b.b + at]) for b in right for at in range(b.size)]
    assert len(pairs) >= 0.7 * len(sentence), words(found[-1])
    assert all(abs(heard.end_ms - 1_000 - said.end_ms) < 600 for said, heard in pairs), pairs
    assert len(found[len(found) // 2].words) >= 2, "long before the end"


@pytest.mark.long
def test_a_model_of_capitals_alone_is_read_in_small_letters(
    streaming: dict[str, Path], engines: dict[str, LiveSherpa], tmp_path: Path
) -> None:
    folder = shutil.copytree(streaming["zipformer_streaming"], tmp_path / "capitals-en")
    tokens = (folder / "tokens.txt").read_text("utf-8")
    (folder / "tokens.txt").write_text("".join(_upper(line) for line in tokens.splitlines(keepends=True)), "utf-8")
    pcm = (speak(["people", "sign", "on"], tmp_path).samples * 32767).astype("<i2").tobytes()
    family = BY_NAME["zipformer_streaming"]
    with closing(LiveSherpa(family, folder, name="x", reason="Test.", threads=1, max_utterances=1)) as engine:
        found = texts(engine, pieces(pcm, "a"))[-1]
    assert words(found)
    assert words(found) == words(texts(engines["zipformer_streaming"], pieces(pcm, "a"))[-1])


def _upper(line: str) -> str:
    return line if line.startswith("<") else line.upper()


def test_every_piece_has_a_time_where_the_runtime_leaves_some_out() -> None:
    result = SimpleNamespace(tokens=["a", "b"], timestamps=[0.0, 0.4, 0.8])
    assert _starts_s(result) == [0.0, 0.4]
    assert _starts_s(SimpleNamespace(tokens=[], timestamps=[0.4])) == []
