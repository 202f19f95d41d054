"""Copies of tiny models to break, and what a refusal of one must be."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from serve.tasks.transcription.sherpa.problems import UnusableModel


def copied(models: Mapping[str, Path], place: str, tmp_path: Path) -> tuple[str, Path, Path]:
    """The family, the copied folder and the file in it of a place such as `zipformer/tokens.txt`."""
    family, _, name = place.partition("/")
    folder = shutil.copytree(models[family], tmp_path / models[family].name)
    return family, folder, folder / name


def refusal_of(load: Callable[[], object]) -> str:
    """The sentence with which a model is refused: one line that says something."""
    with pytest.raises(UnusableModel) as refused:
        load()
    sentence = str(refused.value)
    assert sentence
    assert "Traceback" not in sentence
    assert "\n" not in sentence
    return sentence
