"""Which systems a run measures: models through the product, and peers."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.measure.models.child import Json
from benchmarks.measure.models.run import System
from benchmarks.measure.models.sections import BadChoice, section_with

PRODUCT = "benchmarks.measure.models.asr.product"
PEERS = {
    "faster-whisper": ("benchmarks.measure.models.asr.peers.faster_whisper_side", "faster_whisper"),
    "faster-whisper-batched": ("benchmarks.measure.models.asr.peers.faster_whisper_side", "faster_whisper"),
    "openai-whisper": ("benchmarks.measure.models.asr.peers.openai_whisper_side", "whisper"),
    "transformers": ("benchmarks.measure.models.asr.peers.transformers_side", "transformers"),
}
"""Module of the side, and the package it needs."""
SAME_FORM = ("faster-whisper", "faster-whisper-batched")
"""Peers that read the product's own model folders."""
PEER_BATCH = 8


def product_systems(
    models: Sequence[str], *, profile: str, overlay: Json, through: str, models_root: Path, beam: int
) -> list[System]:
    """A system for each model, or for the one that the product would choose. Raises BadChoice."""
    section = section_with(profile, "transcription", overlay)
    base = {"through": through, "profile": section, "models_root": str(models_root), "beam": beam}
    if through == "cluster":
        # The cluster's own profile counts, not ours.
        return [System("cluster", PRODUCT, {"through": through, "beam": beam})]
    if not models:
        return [System("product", PRODUCT, {**base, "model": ""})]
    names = Counter(Path(model).name for model in models)
    return [
        System(Path(model).name if names[Path(model).name] == 1 else model, PRODUCT, {**base, "model": _path(model)})
        for model in models
    ]


def peer_systems(
    peers: Sequence[str], models: Sequence[str], *, python: str, device: str, compute_type: str, beam: int
) -> list[System]:
    """`peers` are `NAME` or `NAME=MODEL`; those of the product's form take its first model. Raises BadChoice."""
    systems = []
    for peer in peers:
        name, _, model = peer.partition("=")
        if name not in PEERS:
            raise BadChoice(f"There is no peer “{name}”. There are {', '.join(PEERS)}.")
        module, package = PEERS[name]
        if not _is_installed(package, python):
            raise BadChoice(
                f"The peer “{name}” needs the package {package}, which {python} does not have. "
                "Install it there, or name another Python with --peer-python."
            )
        if not model and name not in SAME_FORM:
            raise BadChoice(f"Name the model of “{name}” in its own form: --peer {name}=/path/to/model.")
        if not model and not models:
            raise BadChoice(f"Name the model of “{name}”: --peer {name}=/path, or --model for the product too.")
        configuration = {
            "model": _path(model or models[0]),
            "device": device,
            "compute_type": compute_type,
            "beam": beam,
            "batch": 0 if name == "faster-whisper" else PEER_BATCH,
        }
        systems.append(System(f"{name} {Path(model or models[0]).name}", module, configuration, python))
    return systems


def engines() -> str:
    """The engines that a profile may name, for the help."""
    from typing import get_args

    from serve.tasks.transcription.profile import TranscriptionProfile

    annotation: Any = TranscriptionProfile.model_fields["engine"].annotation
    names: tuple[str, ...] = get_args(annotation)
    return ", ".join(names)


def _path(model: str) -> str:
    """The sides run elsewhere: a folder of this machine gets its whole path."""
    return str(Path(model).resolve()) if Path(model).exists() else model


def _is_installed(package: str, python: str) -> bool:
    code = f"import importlib.util, json; print(json.dumps(importlib.util.find_spec({package!r}) is not None))"
    try:
        run = subprocess.run([python, "-c", code], capture_output=True, text=True, check=False)
    except OSError as missing:
        raise BadChoice(f"{python} cannot be run: {missing.strerror}.") from missing
    return run.returncode == 0 and bool(json.loads(run.stdout or "false"))


THIS_PYTHON = sys.executable
