"""T-one by T-Technologies: streaming CTC over letters, for Russian on the telephone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cluster.wording.message import Message
from serve.core.engine_label import EngineLabel
from serve.tasks.live.sherpa.family import StreamingFamily
from serve.tasks.transcription.sherpa.folder import SherpaFolder, has_parts, part, parts_of, readable_facts, tokens_of
from serve.tasks.transcription.sherpa.onnx_facts import facts_of
from serve.tasks.transcription.sherpa.problems import NO_FACTS, UnusableModel

_FACTS = ("frame_length_ms", "state_dim", "sample_rate")


class TOne(StreamingFamily):
    name = "t_one"
    label = EngineLabel("T-one", prefixes=("sherpa-onnx-streaming-t-one-",))
    note = Message(
        "live.t_one_note",
        "T-one is a model by T-Technologies for Russian speech on the telephone. It writes no punctuation and no "
        "capital letters.",
    )
    punctuates = False
    word_probabilities = False

    def holds(self, folder: Path) -> bool:
        return has_parts(folder, ("model",)) and "frame_length_ms" in readable_facts(part(folder, "model"))

    def open(self, folder: Path) -> SherpaFolder:
        files = parts_of(folder, ("model",))
        facts = facts_of(files["model"])
        if missing := [fact for fact in _FACTS if not facts.get(fact, "").isdecimal()]:
            raise UnusableModel(NO_FACTS(name=files["model"].name, facts=", ".join(missing)))
        tokens_of(files["tokens"])
        return SherpaFolder(folder, files, frozenset({"ru"}), licence="Apache-2.0")

    def window_ms(self, model: SherpaFolder) -> int:
        return int(facts_of(model.files["model"])["frame_length_ms"])

    def recognizer(self, model: SherpaFolder, threads: int) -> Any:
        import sherpa_onnx

        return sherpa_onnx.OnlineRecognizer.from_t_one_ctc(
            model=model["model"], tokens=model["tokens"], num_threads=threads
        )
