"""Why a model of sherpa-onnx cannot be used, in clauses."""

from __future__ import annotations

from cluster.wording.message import Message, Wording

LACKS = Wording("parakeet.lacks", "it lacks {parts}")
NORMALISED = Wording("parakeet.normalised", "{name} wants its spectrum normalised by “{kind}”, which is not supported")
NO_ENCODER = Wording("parakeet.no_encoder", "{name} is not the encoder of a NeMo transducer: it does not name {facts}")
NO_NUMBER = Wording("parakeet.no_number", "{name} gives “{value}” as its {fact}, which is not a positive number")
TOO_LARGE = Wording("parakeet.too_large", "{name} is far too large for a list of {count} pieces")
NO_TEXT = Wording("parakeet.no_text", "{name} is damaged: it is not UTF-8 text")
NOT_NUMBERED = Wording("parakeet.not_numbered", "{name} is damaged: its pieces are not numbered from 0")
OTHER_LIST = Wording(
    "parakeet.other_list",
    "{name} lists {listed} pieces and the model has {pieces}: they belong to different models",
)
OTHER_JOINER = Wording(
    "parakeet.other_joiner",
    "{name} scores {scores} pieces and the encoder has {pieces}: they belong to different models",
)
NO_BLANK = Wording("parakeet.no_blank", "{name} does not end with {blank}")
OTHER_PART = Wording("parakeet.other_part", "{name} is not that part of a NeMo transducer")
DAMAGED = Wording("parakeet.damaged", "{name} is damaged or not an ONNX model")
NO_ONNX = Wording("parakeet.no_onnx", "{name} is not an ONNX model")
NO_FACTS = Wording("sherpa.no_facts", "{name} does not name {facts}, as such a model does")
NO_ORT = Wording("sherpa.no_ort", "{name} is damaged or not a model in onnxruntime's form")
NO_TOKENIZER = Wording("sherpa.no_tokenizer", "the files in {folder} are damaged or of another tokenizer")
LACKS_TOKENS = Wording("sherpa.lacks_tokens", "{name} lacks the tokens {tokens}")
ENDS = Wording("sherpa.ends", "the runtime stops on its files ({failure})")
FAILS = Wording("sherpa.fails", "its files do not fit together ({failure})")
NO_MODEL = Message("sherpa.no_model", "it holds no model that sherpa-onnx runs here")
TOO_SLOW = Message("sherpa.too_slow", "it takes too long for a second of sound on this machine")
NONCOMMERCIAL = Wording(
    "sherpa.noncommercial",
    "its licence, {licence}, forbids commercial use; SAGASCRIPT_ALLOW_NONCOMMERCIAL_MODELS=true allows it",
)


class UnusableModel(ValueError):
    """The files are not what the engine needs. The message is a clause that says what they lack."""
