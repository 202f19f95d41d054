"""The finished tiny models: one `.tar.xz` each, with one folder of the same name."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

WHISPER = "whisper-phrasebook-int8"
"""The tiny Whisper: CTranslate2 weights in int8, and the JSON files faster-whisper reads."""

TRANSLATION = "m2m100-phrasebook-int8"
"""The tiny translation model: CTranslate2 weights in int8, vocabulary and sentencepiece model."""
TRANSLATION_TRANSFORMERS = "m2m100-phrasebook"
"""The same weights in the form of transformers, in float16."""

CHAT = "llama-meeting-int8"
"""The tiny chat model: CTranslate2 weights in int8, tokenizer and chat template."""
CHAT_TRANSFORMERS = "llama-meeting"
"""The same weights in the form of transformers, in float16."""

ARCHIVES = Path(__file__).with_name("archives")


def unpack(name: str, folder: Path) -> Path:
    """Unpack a model below `folder` and return its own folder, `folder/<name>`; one already there is kept."""
    target = folder / name
    if not target.is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        with tarfile.open(ARCHIVES / f"{name}.tar.xz") as archive:
            archive.extractall(folder, filter="data")
    return target


def pack(model: Path, archive_path: Path) -> None:
    """Pack a model folder; the same files always give the same archive."""
    with tarfile.open(archive_path, "w:xz", preset=9) as archive:
        for path in sorted(path for path in model.rglob("*") if path.is_file()):
            content = path.read_bytes()
            member = tarfile.TarInfo(f"{model.name}/{path.relative_to(model)}")
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))


def models_folder(folder: Path) -> Path:
    """A models folder in which the product finds the tiny Whisper."""
    model = unpack(WHISPER, folder)
    (folder / "whisper").symlink_to(model.name)
    return folder
