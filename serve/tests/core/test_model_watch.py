"""A replica finds models that arrive after it started."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from pathlib import Path

from cluster.testing.patience import PATIENCE_S
from serve.core.models.model_files import MODEL_FILE
from serve.core.replica.model_watch import ModelWatch
from serve.tasks.transcription.task import SPEECH
from serve.tasks.transcription.whisper_search import Found


@dataclass(frozen=True)
class Choice:
    models: tuple[Found, ...]
    missing: tuple[str, ...] = ()


def test_a_better_model_is_found_also_where_none_is_missing(tmp_path: Path) -> None:
    def choose() -> Choice:
        better = tmp_path / "small"
        folder = better if (better / MODEL_FILE).is_file() else tmp_path / "base"
        return Choice((Found(folder.name, folder, "It is there."),))

    (tmp_path / "base").mkdir()
    loaded: list[str] = []
    arrived = threading.Event()

    def succeed(name: str) -> None:
        loaded.append(name)
        arrived.set()

    watch = ModelWatch(
        SPEECH,
        choose(),
        choose=choose,
        load=lambda choice: choice.models[0].name,
        on_loaded=succeed,
        on_problem=loaded.append,
        look_rarely_s=0.01,
    )
    watch.start()
    (tmp_path / "small").mkdir()
    (tmp_path / "small" / MODEL_FILE).touch()
    assert arrived.wait(PATIENCE_S)
    watch.stop()
    assert loaded == ["small"]
