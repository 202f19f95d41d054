"""What people read about a download while the engine changes, fails or stays."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from serve.core.capability import FetchState, ModelFetch
from serve.core.messages import EngineInfo
from serve.core.settings import ModelSettings
from serve.download.supply import ModelSupply
from serve.tasks.transcription.background import Background
from serve.tasks.transcription.profile import TranscriptionProfile
from serve.testing.downloads import until
from serve.testing.model_hub import ModelHub


def engine(name: str, model: str, problem: str = "") -> EngineInfo:
    return EngineInfo("transcription", name, model, "cpu", "Test.", problem=problem)


def test_a_folder_that_somebody_puts_there_ends_the_download(hub: ModelHub, tmp_path: Path) -> None:
    hub.faults.hold_after = 2_000_000
    states: list[ModelFetch] = []
    profile = TranscriptionProfile.model_validate({"models": ["base"], "hub": True})
    background = Background(profile, ModelSettings(allow_hub=True), tmp_path, publish=states.append)
    background.start()
    until(states, FetchState.RUNNING)
    background.observe(engine("pocketsphinx", "en-us"))
    assert states[-1].state is FetchState.RUNNING
    shutil.copytree(hub.folder, tmp_path / "whisper")
    background.observe(engine("whisper", "whisper"))
    background.observe(engine("whisper", "whisper"))
    hub.faults.released.set()
    assert [fetch.sentence for fetch in states if fetch.state is FetchState.READY] == [
        "The speech model “whisper” is ready. New files use it."
    ]


@pytest.mark.parametrize("settings", [ModelSettings(allow_hub=False), ModelSettings(allow_hub=None)])
def test_downloads_that_are_off_are_reported_once_without_a_request(
    hub: ModelHub, tmp_path: Path, settings: ModelSettings
) -> None:
    states: list[ModelFetch] = []
    profile = TranscriptionProfile.model_validate({"models": ["base"], "hub": False})
    Background(profile, settings, tmp_path, publish=states.append).start()
    assert [fetch.state for fetch in states] == [FetchState.OFF]
    assert "The built-in engine transcribes English only" in states[0].sentence
    assert hub.requests == []


def test_a_model_that_cannot_be_loaded_is_reported(tmp_path: Path) -> None:
    states: list[ModelFetch] = []
    supply = ModelSupply(["base"], tmp_path, publish=states.append, hub_timeout_s=1)
    supply.observe(engine("pocketsphinx", "en-us", "The speech model “base” cannot be loaded."), is_complete=False)
    assert (states[-1].state, states[-1].sentence) == (FetchState.FAILED, "The speech model “base” cannot be loaded.")
