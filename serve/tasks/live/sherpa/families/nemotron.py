"""Nemotron Speech Streaming and other streaming transducers of NeMo: English with punctuation and capitals."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cluster.wording.message import Message
from serve.core.engine_label import EngineLabel
from serve.tasks.live.sherpa.families.transducer import transducer
from serve.tasks.live.sherpa.family import FRAME_MS, StreamingFamily
from serve.tasks.transcription.sherpa.families.transducer import PARTS, transducer_facts
from serve.tasks.transcription.sherpa.folder import (
    SherpaFolder,
    check_count,
    is_streaming,
    parts_of,
    tokens_of,
)
from serve.tasks.transcription.sherpa.onnx_facts import facts_of
from serve.tasks.transcription.sherpa.problems import NO_BLANK, NO_ENCODER, UnusableModel

BLANK = "<blk>"
_FACTS = ("vocab_size", "window_size", "chunk_shift", "subsampling_factor", "pred_rnn_layers", "pred_hidden")


class Nemotron(StreamingFamily):
    name = "nemotron"
    label = EngineLabel("Nemotron", prefixes=("sherpa-onnx-nemotron-speech-streaming-", "sherpa-onnx-nemo-streaming-"))
    note = Message("live.nemotron_note", "Nemotron Speech Streaming is a model by NVIDIA for English.")
    punctuates = True

    def holds(self, folder: Path) -> bool:
        facts = transducer_facts(folder)
        return "pred_hidden" in facts and is_streaming(facts)

    def open(self, folder: Path) -> SherpaFolder:
        files = parts_of(folder, PARTS)
        facts = facts_of(files["encoder"])
        if missing := [fact for fact in _FACTS if not facts.get(fact, "").isdecimal()]:
            raise UnusableModel(NO_ENCODER(name=files["encoder"].name, facts=", ".join(missing)))
        for name in ("decoder", "joiner"):
            facts_of(files[name])
        check_count(files["tokens"], facts)
        if tokens_of(files["tokens"])[-1] != BLANK:
            raise UnusableModel(NO_BLANK(name=files["tokens"].name, blank=BLANK))
        return SherpaFolder(folder, files, frozenset({"en"}), licence="OpenMDW-1.1")

    def window_ms(self, model: SherpaFolder) -> int:
        return FRAME_MS * int(facts_of(model.files["encoder"])["window_size"])

    def recognizer(self, model: SherpaFolder, threads: int) -> Any:
        return transducer(model, threads)
