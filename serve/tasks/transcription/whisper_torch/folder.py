"""Recognises a folder of transformers' Whisper weights. Needs neither torch nor transformers."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

from serve.core.sentences import MISSING_LIBRARIES

WEIGHTS = "model.safetensors"
INDEX = f"{WEIGHTS}.index.json"
"""Lists the files of weights that are too large for one."""
NEEDED = ("config.json", "tokenizer.json")


def holds_whisper(folder: Path) -> bool:
    """Whether the folder holds a Whisper as transformers publishes one, with its weights in safetensors."""
    if not all((folder / name).is_file() for name in NEEDED) or not weight_files(folder):
        return False
    try:
        config = json.loads((folder / "config.json").read_text("utf-8"))
    except ValueError:
        return False
    return isinstance(config, dict) and config.get("model_type") == "whisper"


def weight_files(folder: Path) -> list[Path]:
    """The files of weights; none while one is missing."""
    if (folder / WEIGHTS).is_file():
        return [folder / WEIGHTS]
    if not (folder / INDEX).is_file():
        return []
    try:
        names = json.loads((folder / INDEX).read_text("utf-8"))["weight_map"].values()
    except (ValueError, KeyError, TypeError, AttributeError):
        return []
    files = [folder / name for name in sorted(set(names))]
    return files if all(file.is_file() for file in files) else []


def missing_libraries() -> str | None:
    """What keeps such weights from running, as a clause that says what to do; None when nothing does."""
    missing = [name for name in ("torch", "transformers") if find_spec(name) is None]
    if not missing:
        return None
    return MISSING_LIBRARIES(names=", ".join(missing))
