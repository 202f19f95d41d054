"""What pages and API clients learn about the loaded model, and the language it gives to uploads."""

from __future__ import annotations

from dataclasses import replace

import pytest

from api.platform.capabilities.service import store
from api.platform.db.engine import Database
from api.testing.browser import Browser
from api.testing.uploads.sending import start
from serve.core.capability import Capability, FetchState, ModelFetch
from serve.core.messages import EngineInfo
from serve.tasks.registry import TASKS
from serve.tasks.transcription.messages import TRANSCRIPTION

POCKETSPHINX = EngineInfo("transcription", "pocketsphinx", "en-us", "cpu", "Why.", frozenset({"en"}))
WHISPER = EngineInfo("transcription", "whisper", "/models/small", "cpu", "Why.", frozenset({"en", "is", "no"}), True)
ENGLISH_WHISPER = EngineInfo("transcription", "whisper", "small.en", "cpu", "Why.", frozenset({"en"}), False)
ICELANDIC = EngineInfo("transcription", "whisper", "is", "cpu", "Why.", frozenset({"is", "en"}), False)
PARAKEET = EngineInfo(
    *("transcription", "parakeet", "/models/sherpa-onnx-nemo-parakeet-tdt-0.6b-v3-int8", "cpu", "Why."),
    frozenset({"de", "en"}),
    licence="CC-BY-4.0",
    note="By NVIDIA.",
)
BOTH = replace(WHISPER, languages=WHISPER.languages | PARAKEET.languages, by_language=(PARAKEET,))


async def load(database: Database, loaded: EngineInfo | None, fetch: ModelFetch | None = None) -> None:
    async with database.write() as session:
        await store(session, Capability(TRANSCRIPTION, loaded, fetch))


@pytest.mark.parametrize(
    ("loaded", "default", "reasons"),
    [
        (None, "auto", {"auto": None, "is-IS": None, "en-GB": None}),
        (POCKETSPHINX, "en-US", {"auto": "Needs a Whisper model", "is-IS": "Needs a Whisper model", "en-GB": None}),
        (WHISPER, "auto", {"auto": None, "is-IS": None, "nb-NO": None, "ga": "The speech model does not know"}),
        (ENGLISH_WHISPER, "en-US", {"auto": "The speech model", "is-IS": "The speech model", "en": None}),
        (ICELANDIC, "is-IS", {"auto": "The speech model", "is-IS": None}),
        (PARAKEET, "en-US", {"auto": "The speech model cannot detect", "is-IS": "The speech model does not know"}),
        (BOTH, "auto", {"auto": None, "is-IS": None, "de": None}),
    ],
)
async def test_the_config_lists_the_available_languages_and_a_default_among_them(
    visitor: Browser,
    database: Database,
    loaded: EngineInfo | None,
    default: str,
    reasons: dict[str, str | None],
) -> None:
    await load(database, loaded)
    config = (await visitor.get("/api/config")).json()["data"]
    assert config["default_language"] == default
    assert config["model_state"] == ("starting" if loaded is None else "ready")
    told = {language["value"]: language for language in config["languages"]}
    assert told[default]["available"]
    for code, reason in reasons.items():
        assert told[code]["available"] is (reason is None)
        assert (told[code]["reason"] or "").startswith(reason or "")


async def test_signed_in_people_get_the_models_in_words(ada: Browser, visitor: Browser, database: Database) -> None:
    starting = (await ada.get("/api/models")).json()["data"]
    assert [one["task"] for one in starting] == [each.task.name for each in TASKS]
    assert {(one["state"], one["label"]) for one in starting} == {("starting", None)}
    await load(database, WHISPER, ModelFetch("small", FetchState.RUNNING, 43, 100, "Getting a better model."))
    models = (await ada.get("/api/models")).json()["data"]
    (model,) = (one for one in models if one["task"] == TRANSCRIPTION)
    assert (model["state"], model["label"], model["detects_language"]) == ("ready", "Whisper small", True)
    assert model["languages"] == ["en", "is", "no"]
    assert (model["fetch"]["bytes_done"], model["fetch"]["state"]) == (43, "running")
    assert (await visitor.get("/api/models")).status_code == 401


async def test_an_engine_for_some_languages_is_named_with_what_it_cannot_do(ada: Browser, database: Database) -> None:
    await load(database, BOTH)
    models = (await ada.get("/api/models")).json()["data"]
    (model,) = (one for one in models if one["task"] == TRANSCRIPTION)
    (special,) = model["by_language"]
    assert (special["label"], special["languages"]) == ("Parakeet tdt-0.6b-v3-int8", ["de", "en"])
    assert (special["licence"], special["note"]) == ("CC-BY-4.0", "By NVIDIA.")
    assert (special["takes_vocabulary"], special["detects_language"]) == (False, False)
    assert "/models" not in special["label"]


@pytest.mark.long
@pytest.mark.parametrize(
    ("loaded", "given"), [(None, "auto"), (POCKETSPHINX, "en-US"), (WHISPER, "auto"), (ICELANDIC, "is-IS")]
)
async def test_an_upload_without_a_language_gets_one_that_works(
    ada: Browser, database: Database, loaded: EngineInfo | None, given: str
) -> None:
    await load(database, loaded)
    await start(ada, 10)
    (upload,) = (await ada.get("/api/files/uploads")).json()["data"]
    assert upload["language"] == given
