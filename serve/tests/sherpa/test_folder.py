"""Folders of Parakeet models: whole ones, and broken ones, which would end the process if sherpa-onnx got them."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from serve.tasks.transcription.sherpa.engine import SherpaEngine
from serve.tasks.transcription.sherpa.families.parakeet import Parakeet
from serve.tasks.transcription.sherpa.families.parakeet_languages import EUROPEAN, languages_of
from serve.tasks.transcription.sherpa.problems import UnusableModel

ENCODER, DECODER, JOINER, TOKENS = "encoder.int8.onnx", "decoder.int8.onnx", "joiner.int8.onnx", "tokens.txt"
PARAKEET = Parakeet()


@pytest.fixture
def folder(parakeet_model: Path, tmp_path: Path) -> Path:
    return shutil.copytree(parakeet_model, tmp_path / "parakeet")


def cut(name: str) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        content = (folder / name).read_bytes()
        (folder / name).write_bytes(content[: len(content) * 2 // 3])

    return change


def swap(one: str, other: str) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        (folder / one).rename(folder / "between")
        (folder / other).rename(folder / one)
        (folder / "between").rename(folder / other)

    return change


def write(name: str, content: bytes) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        (folder / name).write_bytes(content)

    return change


def edit(name: str, old: bytes, new: bytes) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        content = (folder / name).read_bytes()
        assert old in content
        (folder / name).write_bytes(content.replace(old, new))

    return change


def test_a_whole_folder_is_recognised_and_described(folder: Path) -> None:
    assert PARAKEET.holds(folder)
    model = PARAKEET.open(folder)
    assert (model.bands, model.languages) == (128, EUROPEAN)
    assert model.files["encoder"] == folder / ENCODER


@pytest.mark.long
def test_models_of_32_bits_are_recognised_too(folder: Path, parakeet: SherpaEngine) -> None:
    for part in (ENCODER, DECODER, JOINER):
        (folder / part).rename(folder / part.replace(".int8", ""))
    assert PARAKEET.holds(folder)
    assert SherpaEngine(PARAKEET, folder, name="plain", reason="Test.").info.languages == parakeet.info.languages


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda folder: (folder / TOKENS).unlink(), "lacks tokens.txt"),
        (lambda folder: (folder / JOINER).unlink(), "lacks joiner"),
        (cut(ENCODER), "encoder.int8.onnx is damaged"),
        (cut(DECODER), "decoder.int8.onnx is damaged"),
        (cut(TOKENS), "they belong to different models|not numbered|does not end"),
        (write(ENCODER, b"<html>Not found</html>"), "encoder.int8.onnx is"),
        (write(ENCODER, b""), "is not an ONNX model"),
        (write(JOINER, b"version https://git-lfs.github.com/spec/v1\n"), "joiner.int8.onnx is"),
        (write(TOKENS, b"\xff\xfe\x00"), "not UTF-8"),
        (write(TOKENS, b"one two three"), "not numbered from 0"),
        (write(TOKENS, b"a 0\nb 1\n<blk> 2\n"), "lists 3 pieces .* different models"),
        (edit(TOKENS, b"<blk>", b"<eos>"), "does not end with <blk>"),
        (swap(ENCODER, DECODER), "not the encoder of a NeMo transducer"),
        (swap(DECODER, JOINER), "is not that part of a NeMo transducer"),
        (edit(ENCODER, b"subsampling_factor", b"subsampling_fector"), "does not name subsampling_factor"),
        (edit(ENCODER, b"per_feature", b"all_feature"), "normalised by “all_feature”"),
    ],
)
def test_a_broken_folder_ends_with_a_sentence_and_not_the_process(
    folder: Path, change: Callable[[Path], None], problem: str
) -> None:
    change(folder)
    with pytest.raises(UnusableModel, match=problem):
        SherpaEngine(PARAKEET, folder, name="broken", reason="Test.")


def test_the_published_models_name_their_languages() -> None:
    assert languages_of("sherpa-onnx-nemo-parakeet-tdt-0.6b-v3-int8") == EUROPEAN
    assert len(EUROPEAN) == 25
    assert languages_of("sherpa-onnx-nemo-parakeet-tdt-0.6b-v2-int8", "") == {"en"}
    assert languages_of("mine", "https://huggingface.co/nvidia/parakeet-tdt-0.6b-v3") == EUROPEAN
