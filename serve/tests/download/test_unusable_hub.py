"""A hub that is overloaded, unreachable or silent, or offers nothing that may be used."""

from __future__ import annotations

import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from cluster.testing.ports import free_port
from serve.core.capability import FetchState, ModelFetch
from serve.download.hub import forbids_commercial_use
from serve.testing.downloads import MODEL, assert_whole, until
from serve.testing.model_hub import ModelHub, model_hub


def test_a_hub_that_only_sends_damaged_files_fails_with_advice(
    hub: ModelHub, tmp_path: Path, supply: Callable[..., list[ModelFetch]]
) -> None:
    hub.faults.corrupt = 100
    states = supply(tmp_path)
    fetch = until(states, FetchState.FAILED)
    assert "damaged 3 times" in fetch.sentence
    assert "models folder" in fetch.sentence
    assert str(tmp_path) not in fetch.sentence
    assert not (tmp_path / MODEL).exists()


def test_a_model_the_hub_does_not_have_is_refused_with_its_name(
    hub: ModelHub, tmp_path: Path, supply: Callable[..., list[ModelFetch]]
) -> None:
    states = supply(tmp_path, "someone/whisper-is")
    fetch = until(states, FetchState.FAILED)
    assert "does not have" in fetch.sentence
    assert "someone/whisper-is" in fetch.sentence


def test_a_hub_that_is_overloaded_is_waited_for(
    hub: ModelHub, tmp_path: Path, supply: Callable[..., list[ModelFetch]]
) -> None:
    hub.faults.status, hub.faults.failures = 503, 3
    states = supply(tmp_path)
    until(states, FetchState.READY)
    assert_whole(tmp_path, hub)


def test_an_unreachable_hub_gives_advice_and_is_tried_again(
    models_root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, supply: Callable[..., list[ModelFetch]]
) -> None:
    port = free_port()
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", f"http://127.0.0.1:{port}")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    states = supply(tmp_path)
    fetch = until(states, FetchState.PAUSED)
    assert fetch.sentence.startswith("No model hub can be reached. Put a faster-whisper model folder in")
    assert "the models folder" in fetch.sentence
    with model_hub(models_root / "whisper", port) as hub:
        until(states, FetchState.READY)
        assert_whole(tmp_path, hub)


def test_a_hub_that_takes_the_connection_and_stays_silent_is_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, supply: Callable[..., list[ModelFetch]]
) -> None:
    """As a firewall does."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", f"http://127.0.0.1:{silent.getsockname()[1]}")
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        fetch = until(supply(tmp_path), FetchState.PAUSED)
    assert fetch.sentence.startswith("No model hub can be reached.")


def test_a_hub_without_checksums_is_refused_before_any_download(
    hub: ModelHub, tmp_path: Path, supply: Callable[..., list[ModelFetch]]
) -> None:
    hub.faults.no_checksums = True
    fetch = until(supply(tmp_path), FetchState.FAILED)
    assert "names no checksum" in fetch.sentence
    assert hub.ranges == []


def test_a_non_commercial_licence_is_never_used(
    models_root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, supply: Callable[..., list[ModelFetch]]
) -> None:
    with model_hub(models_root / "whisper", licence="cc-by-nc-4.0") as hub:
        monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", hub.url)
        states = supply(tmp_path)
        fetch = until(states, FetchState.FAILED)
    assert "cc-by-nc-4.0" in fetch.sentence
    assert hub.ranges == []
    assert not any(map(forbids_commercial_use, ("mit", "apache-2.0", "")))
    assert all(map(forbids_commercial_use, ("cc-by-nc-sa-4.0", "openrail-non-commercial")))
