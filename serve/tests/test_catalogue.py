"""Models that one can get: the curated list, downloads over a hub, orders of the browser, and removal."""

from __future__ import annotations

import filecmp
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from cluster.testing.patience import PATIENCE_S
from serve.catalogue.entry import Entry, Part, catalogue, entry_named
from serve.catalogue.installed import InstalledModel, Where, installed_models, is_used_by, remove
from serve.catalogue.order_worker import OrderWorker
from serve.catalogue.orders import Order, Orders, OrderState
from serve.catalogue.pull import pull
from serve.catalogue.refusal import refusal
from serve.core.messages import EngineInfo
from serve.core.settings import ModelSettings
from serve.download.hub import forbids_commercial_use
from serve.download.problems import HubRefused
from serve.download.supply import Waits
from serve.download.unfinished import FOLDER
from serve.testing.model_hub import ModelHub, model_hub

SETTINGS = ModelSettings(allow_hub=True)
QUICK = Waits(first_s=0.01, longest_s=0.05, no_room_s=0.05)


@pytest.fixture
def hub(models_root: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[ModelHub]:
    with model_hub(models_root / "whisper") as running:
        monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", running.url)
        monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub-cache"))
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        yield running


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "models"


@pytest.fixture
def worker(root: Path) -> Iterator[Callable[[], OrderWorker]]:
    running: list[tuple[OrderWorker, threading.Thread]] = []

    def start() -> OrderWorker:
        made = OrderWorker(root, SETTINGS, waits=QUICK)
        thread = threading.Thread(target=made.run)
        running.append((made, thread))
        thread.start()
        return made

    yield start
    for made, thread in running:
        made.stop()
        thread.join(PATIENCE_S)
        assert not thread.is_alive()


def entry(name: str) -> Entry:
    found = entry_named(name)
    assert found is not None
    return found


def get(model: Entry, root: Path, settings: ModelSettings = SETTINGS) -> Path:
    return pull(model, root, settings, progress=lambda _done, _total: None, stop=threading.Event())


def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_every_entry_can_be_pulled_or_says_how_it_is_made() -> None:
    names = [one.name for one in catalogue()]
    assert len(names) == len(set(names))
    for one in catalogue():
        assert bool(one.parts) is (one.conversion is None)
        assert one.is_noncommercial is forbids_commercial_use(one.licence)
        assert (one.pairs is not None) is (one.task == "translation")


def test_a_model_arrives_whole_is_listed_and_frees_the_disk_again(hub: ModelHub, root: Path) -> None:
    folder = get(entry("whisper-base"), root)
    names = [path.name for path in hub.folder.iterdir()]
    _, mismatch, errors = filecmp.cmpfiles(hub.folder, folder, names, shallow=False)
    assert (mismatch, errors) == ([], [])
    asked = len(hub.requests)
    assert get(entry("Systran/faster-whisper-base"), root) == folder
    assert len(hub.requests) == asked
    (model,) = installed_models(root)
    assert (model.name, model.task, model.where) == ("whisper-base", "transcription", Where.MODELS_FOLDER)
    assert model.size_bytes == hub.size
    remove(model)
    assert installed_models(root) == []


def test_a_model_of_two_repositories_gets_the_names_that_its_engine_reads(
    hub: ModelHub, root: Path, tmp_path: Path
) -> None:
    parts = {part.repository: part for part in entry("speakers").parts}
    for number, (repository, part) in enumerate(parts.items()):
        folder = tmp_path / f"repository-{number}"
        folder.mkdir()
        (folder / part.required[0]).write_bytes(bytes([number]) * 1000)
        (folder / "another.onnx").write_bytes(b"other")
        hub.others[repository] = folder
    folder = get(entry("speakers"), root)
    assert {path.name: path.read_bytes()[:1] for path in folder.iterdir()} == {
        "segmentation.onnx": b"\0",
        "embedding.onnx": b"\1",
    }
    (model,) = installed_models(root)
    assert (model.name, model.task) == ("speakers", "diarization")


def test_nothing_non_commercial_arrives_without_the_switch(hub: ModelHub, root: Path) -> None:
    hub.licence = "cc-by-nc-4.0"
    with pytest.raises(HubRefused, match=r"cc-by-nc-4\.0.*SAGASCRIPT_ALLOW_NONCOMMERCIAL_MODELS"):
        get(entry("whisper-base"), root)
    assert hub.ranges == []
    assert "forbids commercial use" in (refusal(entry("nllb-200"), SETTINGS) or "")
    get(entry("whisper-base"), root, SETTINGS.model_copy(update={"allow_noncommercial_models": True}))


def test_a_file_that_is_not_the_one_we_know_is_refused(hub: ModelHub, root: Path) -> None:
    part = Part(repository=hub.repository, files="whisper", checksums={"model.bin": "0" * 64})
    with pytest.raises(HubRefused, match=r"another model\.bin"):
        get(entry("whisper-base").model_copy(update={"parts": (part,)}), root)
    assert hub.ranges == []


def test_a_repository_without_a_model_is_refused(hub: ModelHub, root: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    hub.others["someone/poems"] = tmp_path / "empty"
    with pytest.raises(HubRefused, match="no model that we can load"):
        get(entry("someone/poems"), root)


@pytest.mark.long
def test_an_order_survives_a_cut_connection_and_a_restart(
    hub: ModelHub, root: Path, worker: Callable[[], OrderWorker]
) -> None:
    hub.faults.hold_after = 2_000_000
    orders = Orders(root)
    orders.place("whisper-base")
    first = worker()
    until(lambda: (orders.get("whisper-base") or Order("")).bytes_done >= 2_000_000)
    running = orders.get("whisper-base")
    assert running is not None
    assert (running.state, running.bytes_total) == (OrderState.RUNNING, hub.size)
    first.stop()
    hub.faults.hold_after, hub.faults.cut_after, hub.faults.cuts = None, 1_000_000, 1
    hub.faults.released.set()
    worker()
    until(lambda: orders.get("whisper-base") is None)
    assert [model.name for model in installed_models(root)] == ["whisper-base"]
    assert all(asked is not None for asked in hub.ranges[1:])


def test_an_order_that_is_withdrawn_ends_and_one_that_fails_says_why(
    hub: ModelHub, root: Path, worker: Callable[[], OrderWorker]
) -> None:
    hub.faults.hold_after = 2_000_000
    orders = Orders(root)
    orders.place("whisper-base")
    orders.place("whisper-small")
    worker()
    until(lambda: (orders.get("whisper-base") or Order("")).state is OrderState.RUNNING)
    orders.end("whisper-base")
    hub.faults.released.set()
    until(lambda: (orders.get("whisper-small") or Order("")).state is OrderState.FAILED)
    failed = orders.get("whisper-small")
    assert failed is not None
    assert "does not have" in failed.sentence
    assert installed_models(root) == []
    assert orders.place("whisper-small").state is OrderState.WAITING


def test_models_that_somebody_put_there_are_listed_with_their_task(root: Path, hub: ModelHub) -> None:
    files = {
        "whisper-is": ("model.bin", "tokenizer.json"),
        "someone/mt-en-de": ("model.bin", "source.spm", "target.spm"),
        "chat": ("model.bin", "tokenizer.json", "tokenizer_config.json"),
        "notes": ("readme.txt",),
        f"{FOLDER}/half@1": ("model.bin",),
    }
    for folder, names in files.items():
        (root / folder).mkdir(parents=True)
        for name in names:
            (root / folder / name).touch()
    assert {model.name: model.task for model in installed_models(root)} == {
        "whisper-is": "transcription",
        "someone/mt-en-de": "translation",
        "chat": "text",
    }


@pytest.mark.parametrize(
    ("loaded", "is_used"),
    [
        ("/srv/models/faster-whisper-small", True),
        ("small (is: whisper-is)", True),
        ("base", False),
        ("whisper-small.en", False),
    ],
)
def test_a_model_in_memory_is_recognised_by_name_or_folder(loaded: str, is_used: bool) -> None:
    model = InstalledModel("whisper-small", "transcription", Where.MODELS_FOLDER, Path("faster-whisper-small"), 1)
    info = EngineInfo("transcription", "whisper", loaded, "cpu", "")
    assert is_used_by(model, info) is is_used
    assert not is_used_by(model, replace(info, task="translation"))
