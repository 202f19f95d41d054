"""Parakeet by NVIDIA: a NeMo transducer (TDT), whose word times and probabilities come from greedy decoding."""

from __future__ import annotations

from pathlib import Path

from cluster.wording.message import Message
from serve.core.engine_label import EngineLabel
from serve.core.messages import WordTimes
from serve.tasks.transcription.sherpa.families.nemo_parts import check_parts
from serve.tasks.transcription.sherpa.families.parakeet_languages import languages_of
from serve.tasks.transcription.sherpa.families.transducer import PARTS, Transducer, can_spell, transducer_facts
from serve.tasks.transcription.sherpa.folder import (
    SherpaFolder,
    has_parts,
    is_streaming,
    parts_of,
    tokens_of,
)
from serve.tasks.transcription.sherpa.onnx_facts import facts_of
from serve.tasks.transcription.sherpa.problems import (
    NO_BLANK,
    NO_ENCODER,
    NO_NUMBER,
    NORMALISED,
    OTHER_LIST,
    UnusableModel,
)

PARAKEET = "parakeet"
BLANK = "<blk>"
NORMALIZED = ("", "NA", "per_feature")
"""What sherpa-onnx 2.0.1 can do to features."""
_NUMBERS = ("vocab_size", "subsampling_factor", "pred_rnn_layers", "pred_hidden")


class Parakeet(Transducer):
    name = PARAKEET
    label = EngineLabel("Parakeet", prefixes=("sherpa-onnx-nemo-parakeet-",))
    note = Message(
        "transcription.parakeet_note",
        "Parakeet is a model by NVIDIA, used under the licence CC-BY-4.0. It detects no language and translates "
        "nothing.",
    )
    pull = "parakeet-tdt-0.6b-v3"
    word_times = WordTimes.NATIVE
    model_type = "nemo_transducer"

    def holds(self, folder: Path) -> bool:
        return has_parts(folder, PARTS) and not is_streaming(transducer_facts(folder))

    def open(self, folder: Path) -> SherpaFolder:
        files = parts_of(folder, PARTS)
        encoder = files["encoder"]
        facts = facts_of(encoder)
        numbers = _numbers(encoder.name, facts)
        if (normalized := facts.get("normalize_type", "NA")) not in NORMALIZED:
            raise UnusableModel(NORMALISED(name=encoder.name, kind=normalized))
        pieces = numbers["vocab_size"] + 1
        _check_tokens(files["tokens"], pieces)
        for name in ("decoder", "joiner"):
            facts_of(files[name])
        return SherpaFolder(
            folder,
            files,
            languages_of(folder.name, facts.get("url", "")),
            bands=_positive(encoder.name, "feat_dim", facts["feat_dim"]) if "feat_dim" in facts else 80,
            licence="CC-BY-4.0",
            takes_terms=can_spell(files["tokens"]),
            pieces=pieces,
        )

    def check(self, model: SherpaFolder) -> None:
        # The runtime reads what decoder and joiner give as if it had the size that the encoder names.
        check_parts(model.files["decoder"], model.files["joiner"], pieces=model.pieces)


def _numbers(name: str, facts: dict[str, str]) -> dict[str, int]:
    if missing := [fact for fact in _NUMBERS if fact not in facts]:
        raise UnusableModel(NO_ENCODER(name=name, facts=", ".join(missing)))
    return {fact: _positive(name, fact, facts[fact]) for fact in _NUMBERS}


def _positive(name: str, fact: str, value: str) -> int:
    if not value.isascii() or not value.isdigit() or int(value) == 0:
        raise UnusableModel(NO_NUMBER(name=name, value=value, fact=fact))
    return int(value)


def _check_tokens(path: Path, pieces: int) -> None:
    """`<blk>`, which the encoder does not count, is the last."""
    tokens = tokens_of(path, most=pieces - 1)
    if len(tokens) != pieces:
        raise UnusableModel(OTHER_LIST(name=path.name, listed=len(tokens), pieces=pieces))
    if tokens[-1] != BLANK:
        raise UnusableModel(NO_BLANK(name=path.name, blank=BLANK))
