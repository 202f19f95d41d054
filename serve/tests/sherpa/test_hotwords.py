"""Names and terms reach a transducer whole, correct what was heard, and put in nothing that nobody said."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from serve.tasks.transcription.messages import AudioWindow, DecodeOptions, WindowResult
from serve.tasks.transcription.sherpa.bias import with_terms
from serve.tasks.transcription.sherpa.engine import SherpaEngine
from serve.tasks.transcription.sherpa.families.transducer import can_spell
from serve.tasks.transcription.sherpa.hotwords import hotwords_of, search_options, single_pieces, vocabulary_of
from serve.tasks.transcription.sherpa.registry import BY_NAME
from serve.tasks.transcription.sherpa.words import ScoredWord

HEARD, SAID = "Good morning. Rakeík is calm.", "Good morning. Reykjavík is calm."
SOUND = np.random.default_rng(0).normal(0, 3000, 3 * 16_000).astype("<i2").tobytes()


@pytest.fixture(params=["own vocabulary", "by the tokens"])
def engine(request: pytest.FixtureRequest, families: dict[str, Path], tmp_path: Path) -> SherpaEngine:
    folder = shutil.copytree(families["zipformer"], tmp_path / "zipformer")
    if request.param == "by the tokens":
        (folder / "bpe.vocab").unlink()
    return SherpaEngine(BY_NAME["zipformer"], folder, name="tiny", reason="Test.")


def result(engine: SherpaEngine, *terms: str) -> WindowResult:
    window = AudioWindow("film", 0, 60_000, SOUND, DecodeOptions(language="en", terms=terms))
    (outcome,) = engine.run([window])
    assert isinstance(outcome, WindowResult)
    return outcome


def text(engine: SherpaEngine, *terms: str) -> str:
    return " ".join(segment.text for segment in result(engine, *terms).segments)


def test_a_term_corrects_the_word_that_was_misheard(engine: SherpaEngine) -> None:
    assert text(engine) == HEARD
    assert text(engine, "Reykjavík") == SAID
    assert text(engine, "Esja", "Reykjavík", "Hekla") == SAID
    assert text(engine) == HEARD, "terms of one window do not stay for the next"


@pytest.mark.long
def test_terms_that_are_not_spoken_change_nothing(engine: SherpaEngine) -> None:
    assert text(engine, "Vatnajökull", "Good evening", "Reykjanes") == HEARD


@pytest.mark.long
@pytest.mark.parametrize("term", ["", " ", "/", ":x", ":", "#1", "@all", "日本", "a/b", "Reykjavík :9", "x" * 500])
def test_terms_that_cannot_be_spelled_are_left_out_and_the_others_work(engine: SherpaEngine, term: str) -> None:
    assert text(engine, term, "Reykjavík") == SAID


@pytest.mark.long
def test_other_words_keep_their_times_and_probabilities(engine: SherpaEngine) -> None:
    before = [word for segment in result(engine).segments for word in segment.words]
    after = [word for segment in result(engine, "Reykjavík").segments for word in segment.words]
    changed = [index for index, (one, other) in enumerate(zip(before, after, strict=True)) if one != other]
    assert changed == [2]
    assert (after[2].start_ms, after[2].end_ms) == (before[2].start_ms, before[2].end_ms)
    assert after[2].confidence <= before[2].confidence, "what was put in is shown as doubtful as what stood there"


def test_only_terms_that_a_model_can_spell_whole_are_given_in_its_own_capitals() -> None:
    pieces = frozenset("▁abcdefghijk")
    assert hotwords_of(("Abba", "zebra", "bad cafe", "abba"), pieces) == "abba/bad cafe"
    assert hotwords_of(("Abba",), frozenset("▁ABC")) == "ABBA"
    assert hotwords_of(("abba",), frozenset("abc")) == "", "a model without the mark of a word's begin"


def test_a_vocabulary_is_made_where_a_folder_has_none(families: dict[str, Path], parakeet_model: Path) -> None:
    tokens = parakeet_model / "tokens.txt"
    assert not can_spell(tokens)
    with vocabulary_of(parakeet_model, tokens) as path:
        lines = Path(path).read_text("utf-8").splitlines()
    assert not Path(path).exists()
    assert lines[1].split("\t")[1] == "-1"
    assert {"▁", "a", "k"} <= single_pieces(families["zipformer"] / "tokens.txt")


def test_terms_count_more_where_a_model_writes_letter_by_letter(tmp_path: Path) -> None:
    def score(*tokens: str) -> float:
        file = tmp_path / "tokens.txt"
        file.write_text("".join(f"{token} {number}\n" for number, token in enumerate(tokens)), "utf-8")
        return float(search_options(file)["hotwords_score"])

    of_pieces = score("<blk>", "\u2581", "a", "b", "\u2581the", "ing")
    assert score("<blk>", "\u2581", "a", "b", "'", "\u2581c") > of_pieces
    assert score("<blk>", "\u2581", *(chr(0x4E00 + number) for number in range(3_000))) == of_pieces


def word(text: str, start_ms: int, end_ms: int, likely: float = -0.1) -> ScoredWord:
    return ScoredWord(text, start_ms, end_ms, likely)


def test_two_words_take_the_place_of_one_in_its_time() -> None:
    plain = [word("the", 0, 100), word("hekler", 100, 500, -0.9), word("erupts", 500, 900)]
    biased = [word("the", 0, 0), word("Hekla", 120, 120), word("er", 300, 300), word("erupts", 520, 520)]
    merged = with_terms(plain, biased, ("Hekla",))
    assert [(each.text, each.start_ms, each.end_ms, each.log_probability) for each in merged] == [
        ("the", 0, 100, -0.1),
        ("Hekla", 100, 300, -0.9),
        ("er", 300, 500, -0.9),
        ("erupts", 500, 900, -0.1),
    ]


def test_what_only_the_search_with_terms_found_is_not_put_in_and_nothing_is_lost() -> None:
    plain = [word("so", 0, 100), word("it", 100, 200)]
    assert with_terms(plain, [word("so", 0, 0), word("Hekla", 90, 90), word("it", 100, 100)], ("Hekla",)) == plain
    assert with_terms(plain, [word("so", 0, 0)], ("Hekla",)) == plain
    assert with_terms(plain, [], ("Hekla",)) == plain


@pytest.mark.parametrize(
    ("found", "terms", "is_put_in"),
    [
        ("Hekla", ("HEKLA",), True),
        ("Heklu", ("Hekla",), False),
        ("Jónssonar,", ("Jónsson",), True),
        ("icing", ("IC",), False),
        ("hacker", ("Hekla", "Katla"), False),
        ("New York", ("New York",), True),
        ("New yolk", ("New York",), False),
    ],
)
def test_only_whole_terms_are_put_in(found: str, terms: tuple[str, ...], is_put_in: bool) -> None:
    plain = [word("the", 0, 100), word("heckler", 100, 500), word("erupts", 500, 900)]
    biased = [word("the", 0, 0), *(word(text, 120, 120) for text in found.split()), word("erupts", 520, 520)]
    merged = with_terms(plain, biased, terms)
    assert [each.text for each in merged] == ["the", *(found.split() if is_put_in else ["heckler"]), "erupts"]
