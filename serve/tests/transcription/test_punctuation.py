"""Punctuation and capitals for engines that write none, by the real runtime on a tiny model of the true form."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from serve.catalogue.entry import entry_named, task_of
from serve.core.settings import ModelSettings
from serve.tasks.transcription.engine import TranscriptionEngine
from serve.tasks.transcription.load import load_transcription
from serve.tasks.transcription.messages import AudioWindow, DecodeOptions, WindowResult
from serve.tasks.transcription.models import choose_transcription
from serve.tasks.transcription.profile import TranscriptionProfile
from serve.tasks.transcription.punctuation.folder import PunctuationModel, find_punctuation
from serve.tasks.transcription.punctuation.restorer import Restorer
from serve.tasks.transcription.sherpa.problems import UnusableModel
from serve.testing.tiny_punctuation.folder import NAME, punctuation_folder

NO_HUB = ModelSettings(allow_hub=False)
SAID = "The weather is fine today. We will meet again in the morning."


@pytest.fixture(autouse=True)
def no_hub_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))


@pytest.fixture
def models(tmp_path: Path) -> Path:
    """A models folder with the punctuation model alone."""
    return punctuation_folder(tmp_path / "models").parent


@pytest.fixture(scope="module")
def restorer(tmp_path_factory: pytest.TempPathFactory) -> Restorer:
    return Restorer(PunctuationModel(punctuation_folder(tmp_path_factory.mktemp("punctuation"))))


def profile() -> TranscriptionProfile:
    return TranscriptionProfile.model_validate({"models": ["small"], "hub": False, "workers": 1})


@pytest.fixture
def offline(models: Path) -> Iterator[TranscriptionEngine]:
    with closing(load_transcription(profile(), NO_HUB, models)) as engine:
        yield engine


def heard(engine: TranscriptionEngine, pcm: bytes) -> WindowResult:
    (outcome,) = engine.run([AudioWindow("file", 0, 1000, pcm, DecodeOptions(language="en"))])
    assert isinstance(outcome, WindowResult)
    return outcome


@pytest.mark.parametrize(
    ("words", "restored"),
    [
        ("the weather is fine today we will meet again", "The weather is fine today. We will meet again."),
        ("how are you", "How are you?"),
        # Capitals that an engine wrote stay, unless it writes nothing else.
        ("I will meet Nato in the harpa", "I will meet Nato in the Harpa."),
        ("THE WEATHER IS FINE", "The weather is fine."),
        # A mark that is there is not doubled.
        ("the weather is fine.", "The weather is fine."),
        ("", ""),
    ],
)
def test_words_get_capitals_and_marks_one_for_one(restorer: Restorer, words: str, restored: str) -> None:
    assert " ".join(restorer(words.split())) == restored


def test_what_the_model_cannot_count_stays_as_it_is(restorer: Restorer) -> None:
    assert restorer(["two words", "here"]) == ["two words", "here"]
    many = ["zebra"] * 500
    assert len(restorer(many)) == 500


@pytest.mark.long
def test_the_built_in_engine_writes_sentences_and_times_stay(
    offline: TranscriptionEngine, tmp_path: Path, say: Callable[[str], bytes]
) -> None:
    with closing(load_transcription(profile(), NO_HUB, tmp_path / "empty")) as bare:
        plain = heard(bare, say(SAID))
        assert (bare.info.engine, bare.info.punctuates) == ("pocketsphinx", False)
    found = heard(offline, say(SAID))
    assert " ".join(segment.text for segment in plain.segments) == SAID.lower().replace(".", "")
    assert " ".join(segment.text for segment in found.segments) == SAID
    for one, other in zip(plain.segments, found.segments, strict=True):
        assert (one.start_ms, one.end_ms, one.doubts) == (other.start_ms, other.end_ms, other.doubts)
        assert other.text == " ".join(word.text for word in other.words)
        assert [(word.start_ms, word.end_ms, word.confidence) for word in one.words] == [
            (word.start_ms, word.end_ms, word.confidence) for word in other.words
        ]
    assert offline.info.punctuates
    assert offline.info.reason.endswith(
        f"“{NAME}” restores punctuation and capitals in English: its folder is in the models folder."
    )


def test_a_folder_is_found_by_its_files_and_a_model_that_arrives_is_loaded(models: Path, tmp_path: Path) -> None:
    found = find_punctuation(models)
    assert found == PunctuationModel(models / NAME)
    choice = choose_transcription(profile(), NO_HUB, models, may_download=False)
    # What the watch of a replica looks at.
    assert [model.name for model in choice.models] == [NAME]
    assert choice.speech_models == []
    (models / NAME).rename(models / ".arriving")
    assert find_punctuation(models) is None
    assert find_punctuation(tmp_path / "nowhere") is None
    entry = entry_named("punctuation-en")
    assert entry is not None
    assert task_of(models / ".arriving") == "transcription"
    assert (entry.folder, entry.licence) == ("edge-punct-casing-en-onnx", "Apache-2.0")


@pytest.mark.long
@pytest.mark.parametrize(
    ("file", "content"), [("model.int8.onnx", b"no model"), ("model.int8.onnx", b""), ("bpe.vocab", b"\xff\xfe\n")]
)
def test_broken_files_leave_the_engine_as_it_is(
    models: Path, say: Callable[[str], bytes], file: str, content: bytes
) -> None:
    (models / NAME / file).write_bytes(content)
    if file == "bpe.vocab":
        with pytest.raises(UnusableModel):
            Restorer(PunctuationModel(models / NAME))
    with closing(load_transcription(profile(), NO_HUB, models)) as engine:
        assert heard(engine, say(SAID)).segments[0].text.startswith("the weather")
        assert not engine.info.punctuates
        if file == "bpe.vocab":
            # Its metadata are in order, so it was found: the record says why it is not used.
            assert f"“{NAME}” is not used beside it: " in engine.info.reason


def test_a_vocabulary_is_required(models: Path) -> None:
    shutil.move(models / NAME / "bpe.vocab", models / "elsewhere")
    assert find_punctuation(models) is None
