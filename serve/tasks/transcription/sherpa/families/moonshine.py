"""Moonshine v2: small models of one language each, for slow processors."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from cluster.wording.message import Message
from serve.core.engine_label import EngineLabel
from serve.tasks.transcription.sherpa.family import Family
from serve.tasks.transcription.sherpa.folder import TOKENS, SherpaFolder, tokens_of
from serve.tasks.transcription.sherpa.problems import LACKS, NO_ORT, UnusableModel

_FILES = {"encoder": "encoder_model.ort", "decoder": "decoder_model_merged.ort", "tokens": TOKENS}
_MARK = b"ORTM"
"""Stands after four bytes in every file of onnxruntime's own form."""
_LANGUAGE = re.compile(r"moonshine-[a-z]+-([a-z]{2})\b")


class Moonshine(Family):
    name = "moonshine"
    label = EngineLabel("Moonshine", prefixes=("sherpa-onnx-moonshine-",))
    note = Message("transcription.moonshine_note", "Moonshine is a small model, and gives no times for single words.")
    pull = "moonshine-base-en"

    def holds(self, folder: Path) -> bool:
        return all((folder / name).is_file() for name in _FILES.values())

    def open(self, folder: Path) -> SherpaFolder:
        files = {part: folder / name for part, name in _FILES.items()}
        if missing := [path.name for path in files.values() if not path.is_file()]:
            raise UnusableModel(LACKS(parts=", ".join(missing)))
        for part in ("encoder", "decoder"):
            with files[part].open("rb") as file:
                if file.read(8)[4:] != _MARK:
                    raise UnusableModel(NO_ORT(name=files[part].name))
        tokens_of(files["tokens"])
        found = _LANGUAGE.search(folder.name.lower())
        language = found[1] if found else "en"
        is_english = language == "en"
        # Moonshine's own statement: English models are MIT, the others its community licence.
        licence = "MIT" if is_english else "Moonshine Community License"
        return SherpaFolder(folder, files, frozenset({language}), licence=licence, is_noncommercial=not is_english)

    def recognizer(self, model: SherpaFolder, threads: int) -> Any:
        import sherpa_onnx

        return sherpa_onnx.OfflineRecognizer.from_moonshine_v2(
            encoder=model["encoder"], decoder=model["decoder"], tokens=model["tokens"], num_threads=threads
        )
