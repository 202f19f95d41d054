"""Read what a program sends, and say what is wrong with it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from pydantic import ValidationError

from api.edges.speech.errors import BadCall
from api.edges.speech.realtime.schemas import CLIENT_EVENTS, EVENT_ID_MAX, ClientEvent, EventProblem, Problem
from api.platform.http.errors import ApiError
from api.platform.http.fields import field_sentence
from api.platform.http.openai_errors import OpenAiErrorBody, in_openai_form

NOT_JSON = "Send each event as a text message with JSON."
NO_EVENT = "There is no event `{name}` for a program in a transcription session. There are: {names}."
NOT_HERE = "`{field}` cannot be set here. Leave it out."
TRANSCRIBES_ALONE = "Sessions here transcribe, and answer nothing. Send `type: transcription`."
ONE_FORMAT = "Sound must be `audio/pcm` at 24000 samples a second."
ONE_DETECTION = "Send `server_vad`, or null to commit each item yourself."
NO_REDUCTION = "Noise is not reduced in live sound. Send null, or leave this out."
_TAG = "union_tag_invalid", "union_tag_not_found"
_SENTENCES = {
    "session.type": TRANSCRIBES_ALONE,
    "session.audio.input.format": ONE_FORMAT,
    "session.audio.input.format.type": ONE_FORMAT,
    "session.audio.input.format.rate": ONE_FORMAT,
    "session.audio.input.turn_detection.type": ONE_DETECTION,
    "session.audio.input.noise_reduction": NO_REDUCTION,
}
"""What is said of these fields, whatever is wrong with them."""


def read_event(text: str | None) -> ClientEvent:
    """Raises `BadCall`."""
    if text is None:
        raise BadCall(NOT_JSON)
    try:
        return CLIENT_EVENTS.validate_json(text)
    except ValidationError as wrong:
        raise _refusal(wrong.errors(include_url=False)[0]) from None


def _refusal(problem: Mapping[str, Any]) -> BadCall:
    kind = problem["type"]
    if kind in _TAG:
        context = problem.get("ctx", {})
        names = ", ".join(f"`{name}`" for name in _EVENT_NAMES)
        return BadCall.field("type", NO_EVENT.format(name=context.get("tag", ""), names=names))
    if kind == "json_invalid" or not problem["loc"]:
        return BadCall(NOT_JSON)
    # The first part of the place is the event's own type.
    place = tuple(problem["loc"][1:])
    field = ".".join(str(part) for part in place)
    if field in _SENTENCES:
        return BadCall.field(field, _SENTENCES[field])
    if kind == "extra_forbidden":
        return BadCall.field(field, NOT_HERE.format(field=field))
    return BadCall.field(*field_sentence({**problem, "loc": place}))


_EVENT_NAMES = tuple(CLIENT_EVENTS.json_schema()["discriminator"]["mapping"])


def problem_of(error: ApiError, text: str | None = None) -> Problem:
    """The event that says so; `text` is what the program sent."""
    body, _ = in_openai_form(error.body(), error.status_code)
    said = OpenAiErrorBody.model_validate(body).error
    return Problem(error=EventProblem(**said.model_dump(), event_id=_event_id(text)))


def _event_id(text: str | None) -> str | None:
    with suppress(ValueError, RecursionError):
        event = json.loads(text or "")
        if isinstance(event, dict) and isinstance(given := event.get("event_id"), str):
            return given[:EVENT_ID_MAX]
    return None
