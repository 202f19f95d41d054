"""What people read about a speech endpoint."""

from __future__ import annotations

from cluster.wording.message import Message, Wording
from serve.core.endpoint import EndpointSentences

SENTENCES = EndpointSentences(
    no_model=Message("speech_endpoint.no_model", "The speech endpoint lists no model. Set SAGASCRIPT_SPEECH_MODEL."),
    away=Message("speech_endpoint.away", "The speech endpoint cannot be reached."),
    busy=Message("speech_endpoint.busy", "The speech endpoint takes no more requests at the moment."),
    bad_key=Message("speech_endpoint.bad_key", "The speech endpoint rejects our key. Check SAGASCRIPT_SPEECH_KEY."),
    incompatible=Message(
        "speech_endpoint.incompatible", "The speech endpoint answers, but not as an OpenAI-compatible endpoint does."
    ),
    no_answer=Wording("speech_endpoint.no_answer", "The speech endpoint did not answer within {seconds} seconds."),
    unknown_model=Wording(
        "speech_endpoint.unknown_model",
        "The speech endpoint does not offer the model “{model}”. "
        "Check SAGASCRIPT_SPEECH_MODEL and that SAGASCRIPT_SPEECH_URL ends in /v1.",
    ),
    broken=Wording("speech_endpoint.broken", "The speech endpoint fails with status {status}."),
    refused=Wording("speech_endpoint.refused", "The speech endpoint refuses our request with status {status}."),
)
USED = Wording("speech_endpoint.used", "The speech endpoint at {host} transcribes: SAGASCRIPT_SPEECH_URL is set.")
NOTE = Wording("speech_endpoint.note", "The sound is sent to {host}, which transcribes it.")
REQUIRED = Message("speech_endpoint.required", "The profile requires a speech endpoint. Set SAGASCRIPT_SPEECH_URL.")
FIRST_MODEL = Message("speech_endpoint.first_model", "the endpoint's first model")
