"""`sagascript models compare`: what it measures, and where that is shown afterwards."""

from __future__ import annotations

import asyncio
import os
import subprocess
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from api.edges.cli.upkeep.checks import engines
from api.platform.http.state import AppState
from api.platform.settings import ApiSettings
from api.testing.browser import Browser
from api.testing.files.transcribed import PREPARED, captioned_file
from api.testing.processes.installation import SAGASCRIPT
from serve.tasks.transcription.messages import TRANSCRIPTION
from serve.testing.tiny_models.archives import models_folder

SAID = "The weather is fine today."
BUILT_IN = "PocketSphinx (built in, English only)"


@pytest.fixture
def environment(state: AppState, tmp_path: Path) -> dict[str, str]:
    """That of a command on this installation, whose models folder has the tiny Whisper.

    It computes in 32 bits: how 8-bit whole numbers round depends on the processor, and so does a share of errors.
    """
    models_folder(state.settings.models_root)
    cpu = resources.files("serve").joinpath("profiles", "cpu.yaml").read_text()
    profile = tmp_path / "exact.yaml"
    profile.write_text(cpu.replace("compute_type: int8", "compute_type: float32"))
    url = state.database.engine.url.render_as_string(hide_password=False)
    return {
        **os.environ,
        "SAGASCRIPT_DATA_DIR": str(state.settings.data_dir),
        "SAGASCRIPT_DATABASE_URL": url,
        "SAGASCRIPT_ALLOW_HUB": "false",
        "SAGASCRIPT_PROFILE": str(profile),
        "HF_HUB_CACHE": str(tmp_path / "hub"),
        "COLUMNS": "300",
    }


async def compare(environment: dict[str, str], *arguments: str) -> tuple[int, str]:
    process = await asyncio.create_subprocess_exec(
        *SAGASCRIPT,
        "models",
        "compare",
        *arguments,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    said, _ = await process.communicate()
    assert process.returncode is not None
    return process.returncode, " ".join(said.decode().split())


async def comparison(admin: Browser) -> dict[str, Any] | None:
    found: dict[str, Any] | None = (await admin.get("/api/admin/models")).json()["data"]["comparison"]
    return found


def doctor(settings: ApiSettings) -> str:
    return next(check.sentence for check in engines(settings) if check.name == f"{TRANSCRIPTION} engine")


@pytest.mark.long
async def test_the_built_in_sample_is_measured_shown_and_advised_on(
    admin: Browser, state: AppState, environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert await comparison(admin) is None
    code, said = await compare(environment)
    assert code == 0, said
    assert "Two speakers: 28 s, 74 words" in said
    # The tiny Whisper knows a phrase book alone, and the built-in engine knows English.
    advice = f"{BUILT_IN} makes 9.5 % errors and Whisper, which is in use, 94.6 %."
    assert advice in said
    assert "Admin → Models shows this too" in said
    shown = await comparison(admin)
    assert shown is not None
    first, second = shown["engines"]
    assert (first["label"], first["errors"], first["languages"]) == (BUILT_IN, 9.5, ["en"])
    assert (second["label"], second["word_times"], second["takes_vocabulary"]) == ("Whisper", "aligner", True)
    assert min(first["speed"], second["speed"]) > 0
    assert min(first["memory"], second["memory"]) > 50e6
    for name in ("SAGASCRIPT_ALLOW_HUB", "HF_HUB_CACHE"):
        monkeypatch.setenv(name, environment[name])
    assert advice in await asyncio.to_thread(doctor, state.settings)


@pytest.mark.long
async def test_captions_that_people_corrected_are_a_sample(
    ada: Browser, admin: Browser, state: AppState, environment: dict[str, str], tmp_path: Path
) -> None:
    file = await captioned_file(state, ada.user_id, SAID)
    assert PREPARED.audio_key is not None
    sound = tmp_path / "said.wav"
    await asyncio.to_thread(subprocess.check_call, ["flite", "-voice", "rms", "-t", SAID, "-o", str(sound)])
    state.storage.put(sound, PREPARED.audio_key)
    code, said = await compare(environment, "--file", file.slug)
    assert code == 0, said
    shown = await comparison(admin)
    assert shown is not None
    assert (shown["sample"], shown["words"]) == (file.name, 5)
    assert [each["errors"] for each in shown["engines"]] == [0.0, 0.0]
    # Another comparison takes its place; one of a single engine is shown and not kept.
    code, said = await compare(environment, "--file", file.slug, "--model", "whisper")
    assert code == 0, said
    assert "Admin → Models" not in said
    assert len((await comparison(admin) or {})["engines"]) == 2


@pytest.mark.long
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["/nowhere"], "There is no folder /nowhere."),
        (["--file", "abc"], "There is no transcribed file “abc” here. Its slug is the last part of its address."),
        (["--model", "gone"], "There is no engine gone on this machine. There are: whisper, pocketsphinx."),
        (["--language", "xx"], "“xx” is no language of the list. Use a code such as en-US."),
        (["/tmp", "--file", "abc"], "Give a folder or files of the installation, not both."),
    ],
)
async def test_what_cannot_be_compared_is_told(
    environment: dict[str, str], arguments: list[str], sentence: str
) -> None:
    assert await compare(environment, *arguments) == (1, sentence)


@pytest.mark.long
async def test_without_an_installation_the_table_is_all(environment: dict[str, str], tmp_path: Path) -> None:
    alone = {**environment, "SAGASCRIPT_DATA_DIR": str(tmp_path / "alone")}
    alone.pop("SAGASCRIPT_DATABASE_URL")
    code, said = await compare(alone)
    assert code == 0, said
    assert "Nothing was stored: there is no installation in this data folder yet; `sagascript up` makes one." in said
    assert not (tmp_path / "alone" / "sagascript.db").exists()
