"""Why a Parakeet model cannot be used, in clauses."""

from __future__ import annotations

from cluster.wording.message import Wording

LACKS = Wording("parakeet.lacks", "it lacks {parts}")
NORMALISED = Wording("parakeet.normalised", "{name} wants its spectrum normalised by “{kind}”, which is not supported")
NO_ENCODER = Wording("parakeet.no_encoder", "{name} is not the encoder of a NeMo transducer: it does not name {facts}")
NO_NUMBER = Wording("parakeet.no_number", "{name} gives “{value}” as its {fact}, which is not a positive number")
TOO_LARGE = Wording("parakeet.too_large", "{name} is far too large for a list of {count} pieces")
NO_TEXT = Wording("parakeet.no_text", "{name} is damaged: it is not UTF-8 text")
NOT_NUMBERED = Wording("parakeet.not_numbered", "{name} is damaged: its pieces are not numbered from 0")
OTHER_LIST = Wording(
    "parakeet.other_list",
    "{name} lists {listed} pieces and the encoder has {pieces}: they belong to different models",
)
OTHER_JOINER = Wording(
    "parakeet.other_joiner",
    "{name} scores {scores} pieces and the encoder has {pieces}: they belong to different models",
)
NO_BLANK = Wording("parakeet.no_blank", "{name} does not end with {blank}")
OTHER_PART = Wording("parakeet.other_part", "{name} is not that part of a NeMo transducer")
DAMAGED = Wording("parakeet.damaged", "{name} is damaged or not an ONNX model")
NO_ONNX = Wording("parakeet.no_onnx", "{name} is not an ONNX model")
NOT_LOADED = Wording("parakeet.not_loaded", "its files cannot be loaded ({failure})")
DO_NOT_FIT = Wording("parakeet.do_not_fit", "its files do not fit together ({failure})")


class UnusableModel(ValueError):
    """The files are not what the engine needs. The message is a clause that says what they lack."""
