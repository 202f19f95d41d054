"""Streaming Zipformer and its relatives: transducers of the k2 recipes, one language or two each."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cluster.wording.message import Message
from serve.core.engine_label import EngineLabel
from serve.tasks.live.sherpa.families.transducer import transducer
from serve.tasks.live.sherpa.family import FRAME_MS, StreamingFamily
from serve.tasks.transcription.sherpa.families.transducer import transducer_facts
from serve.tasks.transcription.sherpa.families.zipformer import TYPES, open_k2
from serve.tasks.transcription.sherpa.folder import SherpaFolder, is_streaming
from serve.tasks.transcription.sherpa.onnx_facts import facts_of
from serve.tasks.transcription.sherpa.problems import NO_FACTS, UnusableModel

_FACTS = ("T", "decode_chunk_len")


class StreamingZipformer(StreamingFamily):
    name = "zipformer_streaming"
    label = EngineLabel("Streaming Zipformer", prefixes=("sherpa-onnx-streaming-zipformer-", "sherpa-onnx-streaming-"))
    note = Message("live.zipformer_note", "A small streaming model of the k2 project for the languages in its name.")
    punctuates = True

    def holds(self, folder: Path) -> bool:
        facts = transducer_facts(folder)
        return facts.get("model_type") in TYPES and is_streaming(facts)

    def open(self, folder: Path) -> SherpaFolder:
        model = open_k2(folder)
        encoder = model.files["encoder"]
        if missing := [fact for fact in _FACTS if not facts_of(encoder).get(fact, "").isdecimal()]:
            raise UnusableModel(NO_FACTS(name=encoder.name, facts=", ".join(missing)))
        return model

    def window_ms(self, model: SherpaFolder) -> int:
        return FRAME_MS * int(facts_of(model.files["encoder"])["T"])

    def recognizer(self, model: SherpaFolder, threads: int) -> Any:
        return transducer(model, threads)
