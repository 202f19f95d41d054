"""Streaming folders that are cut off, mixed up or hostile: a sentence each, and the process lives on."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from serve.tasks.live.sherpa.engine import LiveSherpa
from serve.tasks.live.sherpa.registry import BY_NAME, family_of
from serve.testing.tiny_sherpa.broken import copied, refusal_of

FILES = [
    *("nemotron/encoder.int8.onnx", "nemotron/decoder.int8.onnx", "nemotron/joiner.int8.onnx", "nemotron/tokens.txt"),
    *("t_one/model.onnx", "t_one/tokens.txt"),
    *("zipformer_streaming/encoder-epoch-99-avg-1.int8.onnx", "zipformer_streaming/decoder-epoch-99-avg-1.onnx"),
    *("zipformer_streaming/joiner-epoch-99-avg-1.int8.onnx", "zipformer_streaming/tokens.txt"),
]
SHORT = ("nemotron/encoder.int8.onnx", "t_one/model.onnx", "zipformer_streaming/tokens.txt")


def refusal(family: str, folder: Path) -> str:
    chosen = BY_NAME[family]
    return refusal_of(lambda: LiveSherpa(chosen, folder, name="x", reason="Test.", threads=1, max_utterances=1))


@pytest.mark.parametrize(
    "place", [place if place in SHORT else pytest.param(place, marks=pytest.mark.long) for place in FILES]
)
def test_a_file_that_is_cut_off_is_refused(streaming: dict[str, Path], place: str, tmp_path: Path) -> None:
    family, folder, path = copied(streaming, place, tmp_path)
    content = path.read_bytes()
    path.write_bytes(content[: len(content) * 2 // 3])
    refusal(family, folder)


@pytest.mark.parametrize("place", FILES)
def test_a_file_that_is_missing_makes_it_no_model(streaming: dict[str, Path], place: str, tmp_path: Path) -> None:
    family, folder, path = copied(streaming, place, tmp_path)
    path.unlink()
    assert family_of(folder) is None
    assert path.name.split(".")[0].split("-")[0] in refusal(family, folder)


@pytest.mark.long
@pytest.mark.parametrize(
    ("place", "other"),
    [
        ("nemotron/decoder.int8.onnx", "zipformer_streaming/decoder-epoch-99-avg-1.onnx"),
        ("nemotron/encoder.int8.onnx", "zipformer_streaming/encoder-epoch-99-avg-1.int8.onnx"),
        ("nemotron/tokens.txt", "t_one/tokens.txt"),
        ("zipformer_streaming/joiner-epoch-99-avg-1.int8.onnx", "zipformer_streaming/decoder-epoch-99-avg-1.onnx"),
        ("zipformer_streaming/tokens.txt", "nemotron/tokens.txt"),
    ],
)
def test_parts_of_different_models_are_refused(
    streaming: dict[str, Path], place: str, other: str, tmp_path: Path
) -> None:
    family, folder, path = copied(streaming, place, tmp_path)
    other_family, _, name = other.partition("/")
    shutil.copy(streaming[other_family] / name, path)
    refusal(family, folder)


def test_what_only_looks_like_a_file_is_no_model(streaming: dict[str, Path], tmp_path: Path) -> None:
    _, folder, path = copied(streaming, "t_one/model.onnx", tmp_path)
    path.unlink()
    os.mkfifo(path)
    assert family_of(folder) is None
