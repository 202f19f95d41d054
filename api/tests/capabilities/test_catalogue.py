"""The models that one can get, for administrators in the browser and on the command line."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from api.people.users.models import User
from api.platform.capabilities.service import store
from api.platform.db.engine import Database
from api.platform.settings import ApiSettings
from api.testing.browser import Browser
from api.testing.jobs.installation import PROJECT
from cluster.testing.patience import PATIENCE_S
from serve.catalogue.orders import Orders
from serve.core.capability import Capability
from serve.core.messages import EngineInfo
from serve.tasks.transcription.messages import TRANSCRIPTION
from serve.testing.model_hub import model_hub
from serve.testing.speech import models_root

__all__ = ["models_root"]

URL = "/api/models/catalogue"


@pytest.fixture
def models_folder(settings: ApiSettings, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SAGASCRIPT_ALLOW_HUB", "true")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(settings.data_dir / "hub-cache"))
    return settings.models_root


async def make_admin(database: Database, browser: Browser) -> None:
    async with database.write() as session:
        (await session.get_one(User, browser.user_id)).is_admin = True


async def test_only_administrators_see_and_change_the_models(ada: Browser, visitor: Browser) -> None:
    assert (await visitor.get(URL)).status_code == 401
    for answer in (await ada.get(URL), await ada.post(f"{URL}/whisper-base"), await ada.delete(f"{URL}/whisper-base")):
        assert answer.status_code == 403


async def test_an_administrator_orders_a_model_and_takes_the_order_back(
    ada: Browser, database: Database, models_folder: Path
) -> None:
    await make_admin(database, ada)
    assert (await ada.post(f"{URL}/whisper-base")).status_code == 202
    listed = {model["name"]: model for model in (await ada.get(URL)).json()["data"]}
    assert listed["whisper-base"]["order"]["state"] == "waiting"
    assert (listed["whisper-base"]["task"], listed["whisper-base"]["installed"]) == ("transcription", None)
    assert listed["quickmt-en-is"]["pairs"] == ["en-is"]
    assert "forbids commercial use" in listed["nllb-200"]["obstacle"]
    refused = await ada.post(f"{URL}/nllb-200")
    assert refused.status_code == 422
    assert "SAGASCRIPT_ALLOW_NONCOMMERCIAL_MODELS" in refused.json()["message"]
    assert (await ada.post(f"{URL}/siri")).status_code == 404
    assert (await ada.post(f"{URL}/someone/whisper-is")).status_code == 202
    assert {order.name for order in Orders(models_folder).all()} == {"whisper-base", "someone/whisper-is"}
    assert (await ada.delete(f"{URL}/someone/whisper-is")).status_code == 204
    assert (await ada.delete(f"{URL}/whisper-base")).status_code == 204
    assert (await ada.delete(f"{URL}/whisper-base")).status_code == 404


async def test_a_model_in_use_is_not_removed(ada: Browser, database: Database, models_folder: Path) -> None:
    await make_admin(database, ada)
    folder = models_folder / "faster-whisper-base"
    folder.mkdir(parents=True)
    (folder / "model.bin").write_bytes(b"weights")
    loaded = EngineInfo(TRANSCRIPTION, "whisper", str(folder), "cpu", "Test.")
    async with database.write() as session:
        await store(session, Capability(TRANSCRIPTION, loaded))
    (model,) = [one for one in (await ada.get(URL)).json()["data"] if one["installed"]]
    assert (model["name"], model["size_bytes"], model["is_in_use"]) == ("whisper-base", 7, True)
    assert (await ada.post(f"{URL}/whisper-base")).status_code == 409
    refused = await ada.delete(f"{URL}/whisper-base")
    assert refused.status_code == 409
    assert "Speech recognition is using the model" in refused.json()["message"]
    async with database.write() as session:
        await store(session, Capability(TRANSCRIPTION))
    assert (await ada.delete(f"{URL}/whisper-base")).status_code == 204
    assert not folder.exists()


@pytest.mark.long
def test_the_command_gets_lists_and_removes_a_model(models_root: Path, tmp_path: Path) -> None:
    with model_hub(models_root / "whisper") as hub:
        pulled = models(tmp_path, hub.url, "pull", "whisper-base")
        assert pulled.returncode == 0, pulled.stderr
        assert str(tmp_path / "models" / "faster-whisper-base") in pulled.stdout.replace("\n", "")
        listed = models(tmp_path, hub.url, "list", "--task", "transcription")
        assert "here  whisper-base" in listed.stdout
        removed = models(tmp_path, hub.url, "remove", "whisper-base")
        assert "whisper-base” was removed: 8 MB" in removed.stdout
        unknown = models(tmp_path, hub.url, "pull", "siri")
        assert unknown.returncode == 1
        assert "The catalogue has no model “siri”" in unknown.stderr.replace("\n", " ")
    assert not (tmp_path / "models" / "faster-whisper-base").exists()


def models(folder: Path, hub: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    env = {
        **os.environ,
        "SAGASCRIPT_DATA_DIR": str(folder),
        "SAGASCRIPT_ALLOW_HUB": "true",
        "HF_ENDPOINT": hub,
        "HF_HUB_CACHE": str(folder / "hub-cache"),
        "NO_PROXY": "127.0.0.1",
    }
    command = [sys.executable, "-m", "api.main", "models", *arguments]
    return subprocess.run(
        command, env=env, cwd=PROJECT, capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )
