"""Which engines follow speech: by the models folder, by settings, by the profile, and when a model is broken."""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from serve.core.capability import engine_for
from serve.core.messages import EngineProblem, EngineRefused
from serve.core.models.model_files import ModelMissing
from serve.core.settings import ModelSettings
from serve.tasks.live.choice import choose_live
from serve.tasks.live.load import load_live
from serve.tasks.live.messages import LiveSound, LiveText
from serve.tasks.live.profile import LiveProfile
from serve.tasks.transcription.messages import DecodeOptions
from serve.testing.tiny_streamer.folders import RUSSIAN

SECOND = bytes(32_000)


@pytest.fixture
def models(streaming: dict[str, Path], tmp_path: Path) -> Path:
    """A models folder with one model of each family."""
    for folder in streaming.values():
        shutil.copytree(folder, tmp_path / folder.name)
    return tmp_path


def chosen(models: Path, engine: str = "auto", *named: str) -> Any:
    return choose_live(LiveProfile(engine=engine), ModelSettings(live_models=named), models)


def test_without_models_the_built_in_engine_follows_english(tmp_path: Path) -> None:
    choice = chosen(tmp_path)
    assert (choice.info.engine, choice.models) == ("pocketsphinx", ())
    assert chosen(tmp_path, "none").info.engine == "none"


def test_each_language_goes_to_the_first_model_that_knows_it(models: Path) -> None:
    choice = chosen(models)
    assert [found.family.name for found in choice.models] == ["nemotron", "t_one"], "nothing is left for the third"
    assert not choice.has_built_in
    info = choice.info
    assert info.languages == {"en", "ru"}
    assert (engine_for(info, "en").engine, engine_for(info, "ru").engine) == ("nemotron", "t_one")
    assert "T-one “sherpa-onnx-streaming-t-one-russian-2025-09-08” follows live speech in ru" in info.reason


def test_the_built_in_engine_takes_english_where_no_model_knows_it(models: Path, streaming: dict[str, Path]) -> None:
    info = chosen(models, "auto", streaming["t_one"].name).info
    assert info.languages == {"en", "ru"}
    assert engine_for(info, "en").engine == "pocketsphinx"


def test_a_setting_says_which_models_and_which_one_first(models: Path, streaming: dict[str, Path]) -> None:
    choice = chosen(models, "auto", streaming["zipformer_streaming"].name, streaming["nemotron"].name)
    assert [found.family.name for found in choice.models] == ["zipformer_streaming"]
    absent = chosen(models, "auto", "nowhere")
    assert absent.info.engine == "pocketsphinx"
    assert "“nowhere” cannot be used" in absent.reason


def test_a_profile_may_allow_one_engine_only(models: Path, streaming: dict[str, Path]) -> None:
    assert chosen(models, "zipformer_streaming").info.engine == "zipformer_streaming"
    assert chosen(models, "pocketsphinx").info.engine == "pocketsphinx"
    shutil.rmtree(models / streaming["t_one"].name)
    lacking = chosen(models, "t_one")
    assert not lacking.info.can_run
    with pytest.raises(ModelMissing, match="t_one"):
        load_live(LiveProfile(engine="t_one"), ModelSettings(), models)
    with pytest.raises(ValidationError, match="There is no engine “siri”"):
        LiveProfile(engine="siri")


def heard(engine: Any, language: str | None, stream: str) -> LiveText | EngineRefused:
    outcomes: list[LiveText | EngineRefused] = engine.run(
        [LiveSound(stream, 0, 0, SECOND * 4, True, DecodeOptions(language=language))]
    )
    return outcomes[0]


@pytest.mark.long
def test_each_recording_is_followed_by_the_engine_of_its_language(models: Path, streaming: dict[str, Path]) -> None:
    settings = ModelSettings(live_models=(streaming["t_one"].name,))
    with closing(load_live(LiveProfile(workers=1), settings, models)) as engine:
        assert engine.info.languages == {"en", "ru"}
        russian, english, other = (heard(engine, code, code) for code in ("ru", "en", "is"))
        (mixed_en, mixed_ru) = engine.run(
            [LiveSound(code, 0, 0, SECOND * 4, True, DecodeOptions(language=code)) for code in ("en", "ru")]
        )
    assert isinstance(russian, LiveText)
    assert " ".join(word.text for word in russian.words) == RUSSIAN
    assert isinstance(english, LiveText)
    assert english.words == (), "silence"
    assert isinstance(other, EngineRefused)
    assert other.problem == EngineProblem.UNKNOWN_LANGUAGE
    assert (mixed_en, mixed_ru) == (english, russian)


def test_a_model_that_cannot_be_loaded_leaves_its_language_to_the_built_in_engine(
    models: Path, streaming: dict[str, Path]
) -> None:
    name = streaming["nemotron"].name
    shutil.copy(streaming["zipformer_streaming"] / "decoder-epoch-99-avg-1.onnx", models / name / "decoder.int8.onnx")
    settings = ModelSettings(live_models=(name,))
    with closing(load_live(LiveProfile(workers=1), settings, models)) as engine:
        assert engine.info.engine == "pocketsphinx"
        assert f"The Nemotron model “{name}” cannot be loaded" in engine.info.reason
