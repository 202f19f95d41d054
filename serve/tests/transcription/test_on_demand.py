"""Several real models in less memory than all of them need."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from cluster.testing.patience import PATIENCE_S
from serve.core.models.model_memory import ModelMemory
from serve.tasks.transcription.messages import DecodeOptions, WindowResult
from serve.tasks.transcription.on_demand import OnDemandEngine
from serve.tasks.transcription.whisper.engine import WhisperEngine
from serve.testing.speech import SpokenClip


class Clock:
    time = 0.0

    def __call__(self) -> float:
        return self.time


@pytest.fixture
def engines(models_root: Path) -> Iterator[dict[str, WhisperEngine]]:
    made = {
        language: WhisperEngine(
            models_root / "whisper", name=language, reason="Test.", device="cpu", compute_type="int8"
        )
        for language in ("is", "de", "es")
    }
    yield made
    for engine in made.values():
        engine.close()


def said(engine: OnDemandEngine, clips: list[SpokenClip], language: str) -> bool:
    clip = next(clip for clip in clips if clip.lang == language)
    (outcome,) = engine.run([clip.window(options=DecodeOptions(language=language))])
    assert isinstance(outcome, WindowResult)
    return " ".join(segment.text for segment in outcome.segments) == clip.text


def in_memory(engines: dict[str, WhisperEngine]) -> set[str]:
    return {language for language, engine in engines.items() if engine.is_loaded}


def test_what_does_not_fit_waits_outside_and_the_one_unused_for_longest_makes_room(
    engines: dict[str, WhisperEngine], clips: list[SpokenClip]
) -> None:
    clock = Clock()
    memory = ModelMemory(2 * engines["is"].size_bytes, now=clock)
    kept = {language: OnDemandEngine(language, engine, memory) for language, engine in engines.items()}
    assert in_memory(engines) == {"is", "de"}
    for language, left in (("is", {"is", "de"}), ("es", {"is", "es"}), ("de", {"es", "de"})):
        clock.time += 1
        assert said(kept[language], clips, language)
        assert in_memory(engines) == left


@pytest.mark.long
def test_an_unused_model_is_unloaded_and_comes_back(engines: dict[str, WhisperEngine], clips: list[SpokenClip]) -> None:
    clock = Clock()
    memory = ModelMemory(10 * engines["is"].size_bytes, idle_s=60, now=clock)
    kept = {language: OnDemandEngine(language, engine, memory) for language, engine in engines.items()}
    clock.time += 59
    assert said(kept["is"], clips, "is")
    kept["is"].rest()
    assert in_memory(engines) == {"is", "de", "es"}
    clock.time += 2
    kept["is"].rest()
    assert in_memory(engines) == {"is"}
    assert said(kept["de"], clips, "de")


@pytest.mark.long
def test_many_threads_never_hold_more_than_the_bound(
    engines: dict[str, WhisperEngine], clips: list[SpokenClip]
) -> None:
    """Room for one: a model in use is never unloaded, and no thread waits forever."""
    memory = ModelMemory(engines["is"].size_bytes)
    kept = {language: OnDemandEngine(language, engine, memory) for language, engine in engines.items()}
    most = 0
    stop = threading.Event()

    def watch() -> None:
        nonlocal most
        while not stop.wait(0.001):
            most = max(most, len(in_memory(engines)))

    watching = threading.Thread(target=watch)
    watching.start()
    with ThreadPoolExecutor(4) as threads:
        languages = ["is", "de", "es", "de", "is", "es"] * 3
        answers = list(
            threads.map(lambda language: said(kept[language], clips, language), languages, timeout=PATIENCE_S)
        )
    stop.set()
    watching.join()
    assert all(answers)
    assert most == 1


@pytest.mark.long
def test_a_model_larger_than_the_bound_is_used_alone(
    engines: dict[str, WhisperEngine], clips: list[SpokenClip]
) -> None:
    kept = OnDemandEngine("is", engines["is"], ModelMemory(0))
    assert not engines["is"].is_loaded
    assert said(kept, clips, "is")
