"""Requests that name an engine: it is loaded beside the chosen one, one at a time, and nobody waits for its loading."""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from serve.core.messages import EngineProblem, EngineRefused
from serve.core.settings import ModelSettings
from serve.tasks.transcription.engine import TranscriptionEngine
from serve.tasks.transcription.load import load_chosen
from serve.tasks.transcription.messages import AudioWindow, DecodeOptions, WindowResult
from serve.tasks.transcription.models import choose_transcription
from serve.tasks.transcription.others import named
from serve.tasks.transcription.others.installed import InstalledEngine, installed_engines
from serve.tasks.transcription.others.named import (
    IDLE_S,
    KEPT_S,
    LEAVING_S,
    TURN_S,
    NamedEngines,
    OtherEngines,
    parts_by_name,
)
from serve.tasks.transcription.profile import TranscriptionProfile
from serve.testing.speech import SpokenClip

PARAKEET, SECOND = "sherpa-onnx-nemo-parakeet-tdt-0.6b-v3-int8", "another-parakeet"
NO_HUB = ModelSettings(allow_hub=False)


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(autouse=True)
def no_hub_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))


@pytest.fixture
def folder(parakeet_model: Path, models_root: Path, tmp_path: Path) -> Path:
    """A models folder with Whisper, two of Parakeet, and a download under way."""
    models = tmp_path / "models"
    models.mkdir()
    (models / "whisper").symlink_to((models_root / "whisper").resolve())
    for name in (PARAKEET, SECOND, ".unfinished"):
        shutil.copytree(parakeet_model, models / name)
    return models


@pytest.fixture
def clock() -> Clock:
    return Clock()


Make = Callable[..., NamedEngines]


@pytest.fixture
def make(folder: Path, clock: Clock) -> Iterator[Make]:
    """The engine as the deployment makes it; `loaded` collects the names of those that requests had loaded."""
    made: list[tuple[NamedEngines, OtherEngines]] = []

    def engine(loaded: list[str] | None = None, load: Callable[[InstalledEngine], None] | None = None) -> NamedEngines:
        profile = TranscriptionProfile.model_validate({"models": ["small"], "hub": False, "workers": 1})

        def brought(wanted: InstalledEngine) -> TranscriptionEngine:
            if load is not None:
                load(wanted)
            if loaded is not None:
                loaded.append(wanted.name)
            return load_chosen(profile, NO_HUB, wanted.choice, strict=True)

        others = OtherEngines(lambda: installed_engines(profile, NO_HUB, folder, None), brought, now=clock)
        choice = choose_transcription(profile, NO_HUB, folder, may_download=False)
        chosen = load_chosen(profile, NO_HUB, choice)
        made.append((NamedEngines(chosen, parts_by_name(chosen, choice, others.installed), others), others))
        return made[-1][0]

    yield engine
    for each, others in made:
        each.close()
        others.close()


def window(clips: Sequence[SpokenClip], name: str, clip: str = "es4-m") -> AudioWindow:
    chosen = next(each for each in clips if each.id == clip)
    return chosen.window(options=DecodeOptions(language=chosen.lang, engine=name))


def outcome_of(engine: NamedEngines, item: AudioWindow) -> WindowResult | EngineRefused:
    engine.batch_key(item)
    (outcome,) = engine.run([item])
    return outcome


def result_of(engine: NamedEngines, item: AudioWindow) -> WindowResult | EngineRefused:
    """As a client sees it, who comes back while the engine is busy."""
    while True:
        outcome = outcome_of(engine, item)
        if not isinstance(outcome, EngineRefused) or outcome.problem is not EngineProblem.OVERLOADED:
            return outcome
        assert outcome.retry_after_s
        time.sleep(0.01)


def text_of(outcome: WindowResult | EngineRefused) -> str:
    assert isinstance(outcome, WindowResult), outcome
    return " ".join(segment.text for segment in outcome.segments)


def test_the_record_lists_every_engine_of_the_machine(make: Make, folder: Path) -> None:
    engine = make()
    assert [each.name for each in engine.info.others] == ["whisper", SECOND, PARAKEET, "pocketsphinx"]
    whisper, second, _, offline = engine.info.others
    assert (whisper.engine, whisper.languages, whisper.takes_vocabulary) == ("whisper", frozenset(), True)
    assert (second.engine, second.licence) == ("parakeet", "CC-BY-4.0")
    assert {"en", "es"} <= second.languages
    assert offline.languages == {"en"}
    shutil.rmtree(folder / SECOND)
    engine._others.look()
    assert [each.name for each in engine.info.others] == ["whisper", PARAKEET, "pocketsphinx"]


@pytest.mark.long
def test_a_window_is_transcribed_by_the_engine_that_it_names(make: Make, clips: list[SpokenClip]) -> None:
    loaded: list[str] = []
    engine = make(loaded)
    # Spanish is the first Parakeet's here; Whisper and it are loaded already.
    for name in ("", "whisper", SECOND):
        assert text_of(outcome_of(engine, window(clips, name)))
    assert loaded == []
    first = outcome_of(engine, window(clips, PARAKEET))
    assert isinstance(first, EngineRefused)
    assert str(first.sentence) == f"The speech model “{PARAKEET}” is being loaded."
    assert text_of(result_of(engine, window(clips, PARAKEET))) == text_of(outcome_of(engine, window(clips, SECOND)))
    assert loaded == [PARAKEET]
    keys = {engine.batch_key(window(clips, name)) for name in ("", "whisper", PARAKEET)}
    assert len(keys) == 3


@pytest.mark.long
def test_another_engine_waits_until_the_last_window_of_the_first_is_old(
    make: Make, clips: list[SpokenClip], clock: Clock
) -> None:
    loaded: list[str] = []
    engine = make(loaded)
    assert text_of(result_of(engine, window(clips, PARAKEET)))
    english = window(clips, "pocketsphinx", "en1-rms")
    waits = outcome_of(engine, english)
    assert isinstance(waits, EngineRefused)
    assert str(waits.sentence) == "The speech model “pocketsphinx” waits until another one is free."
    clock.now += KEPT_S
    assert isinstance(result_of(engine, english), WindowResult)
    assert loaded == [PARAKEET, "pocketsphinx"]
    # The first one left memory, and comes back when it is named.
    clock.now += KEPT_S
    assert text_of(result_of(engine, window(clips, PARAKEET)))
    assert loaded == [PARAKEET, "pocketsphinx", PARAKEET]


@pytest.mark.long
def test_engines_that_two_people_want_take_turns(make: Make, clips: list[SpokenClip], clock: Clock) -> None:
    """A long file by one engine must not keep a short one from another."""
    loaded: list[str] = []
    engine = make(loaded)
    long, short = window(clips, PARAKEET), window(clips, "pocketsphinx", "en1-rms")
    assert text_of(result_of(engine, long))
    for _ in range(round(TURN_S / KEPT_S) + 1):
        # Its windows keep coming, so it is never idle.
        clock.now += KEPT_S - 1
        assert text_of(outcome_of(engine, long))
    assert isinstance(outcome_of(engine, short), EngineRefused)
    waits = outcome_of(engine, long)
    assert isinstance(waits, EngineRefused)
    assert waits.problem is EngineProblem.OVERLOADED
    assert isinstance(result_of(engine, short), WindowResult)
    assert loaded == [PARAKEET, "pocketsphinx"]
    clock.now += KEPT_S
    assert text_of(result_of(engine, long))
    # Whoever wanted another one has given up: nothing stands still.
    clock.now += TURN_S
    assert text_of(outcome_of(engine, long))
    assert isinstance(outcome_of(engine, short), EngineRefused)
    assert isinstance(outcome_of(engine, long), EngineRefused)
    clock.now += LEAVING_S
    assert text_of(outcome_of(engine, long))
    assert loaded == [PARAKEET, "pocketsphinx", PARAKEET]


@pytest.mark.long
def test_the_chosen_engine_works_while_another_one_is_loaded(make: Make, clips: list[SpokenClip]) -> None:
    begun, held = threading.Event(), threading.Event()

    def load(_: InstalledEngine) -> None:
        begun.set()
        held.wait()

    engine = make(load=load)
    try:
        assert isinstance(outcome_of(engine, window(clips, PARAKEET)), EngineRefused)
        begun.wait()
        assert isinstance(outcome_of(engine, window(clips, PARAKEET)), EngineRefused)
        assert text_of(outcome_of(engine, window(clips, "")))
    finally:
        held.set()
    assert text_of(result_of(engine, window(clips, PARAKEET)))


@pytest.mark.long
def test_an_idle_engine_leaves_memory_and_comes_back(make: Make, clips: list[SpokenClip], clock: Clock) -> None:
    loaded: list[str] = []
    engine = make(loaded)
    result_of(engine, window(clips, PARAKEET))
    clock.now += IDLE_S - 1
    engine.rest()
    assert text_of(outcome_of(engine, window(clips, PARAKEET)))
    clock.now += IDLE_S
    engine.rest()
    assert isinstance(outcome_of(engine, window(clips, PARAKEET)), EngineRefused)
    assert text_of(result_of(engine, window(clips, PARAKEET)))
    assert loaded == [PARAKEET, PARAKEET]


@pytest.mark.long
def test_what_cannot_be_loaded_gets_a_sentence_and_is_tried_again_later(
    make: Make, folder: Path, clips: list[SpokenClip], clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = make()
    gone = outcome_of(engine, window(clips, "gone"))
    assert isinstance(gone, EngineRefused)
    assert (gone.problem, str(gone.sentence)) == (
        EngineProblem.BAD_INPUT,
        "The speech model “gone” is no longer on this machine. Choose another one.",
    )
    monkeypatch.setattr(named, "available_bytes", lambda: 1000)
    full = result_of(engine, window(clips, PARAKEET))
    assert isinstance(full, EngineRefused)
    assert full.problem is EngineProblem.MODEL_FAILED
    assert "of memory beside the one in use, and 0 MB are free" in str(full.sentence)
    monkeypatch.setattr(named, "available_bytes", lambda: None)
    # No second try so soon.
    assert outcome_of(engine, window(clips, PARAKEET)).__class__ is EngineRefused
    clock.now += named.FAILED_S
    shutil.move(folder / PARAKEET / "tokens.txt", folder / "tokens.txt")
    broken = result_of(engine, window(clips, PARAKEET))
    assert isinstance(broken, EngineRefused)
    assert str(broken.sentence).startswith(f"The speech model “{PARAKEET}” cannot be loaded: ")
    clock.now += named.FAILED_S
    shutil.move(folder / "tokens.txt", folder / PARAKEET / "tokens.txt")
    assert text_of(result_of(engine, window(clips, PARAKEET)))
    assert text_of(outcome_of(engine, window(clips, "")))
