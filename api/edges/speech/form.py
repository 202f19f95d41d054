"""The fields of a call of the speech API, as OpenAI's clients send them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, ValidationError, WithJsonSchema

from api.content.glossary.spoken import SPOKEN_CHARS_MAX
from api.edges.speech.errors import BadCall
from api.edges.speech.limits import REFERENCES_MAX
from api.edges.speech.speakers import SentReference, sound_of
from api.platform.http.fields import field_sentence
from api.platform.http.limits import LANGUAGE_CODE_MAX
from api.platform.http.text import CLEAN_LINE
from pipelines.captions.limits import SPEAKER_NAME_MAX, SPEAKERS_MAX
from pipelines.messages.requests import VoiceDetection
from pipelines.messages.spoken_terms import PROMPT_TERMS_MAX

MODEL_MAX = 200
PROMPT_MAX = 20_000
WRONG_FORMAT = "The response format must be one of {formats}."
WRONG_CHUNKING = (
    "Send `auto`, or `server_vad` as an object with `threshold`, `silence_duration_ms` and `prefix_padding_ms`."
)
NEEDS_VERBOSE = "Times are part of `verbose_json` alone. Send `response_format=verbose_json`, or no granularities."
ONE_LANGUAGE = "The models here choose among all languages that they know, or take one. Send that one in `language`."
JSON_ALONE = "Log probabilities are part of `json` alone. Send `response_format=json`, or leave `include` out."
DIARIZED_ALONE = "Who speaks is part of `diarized_json` alone. Send `response_format=diarized_json`, or leave this out."
BOTH_OR_NEITHER = "Send one reference for each of the names, in the same order."
TOO_MANY_KNOWN = f"At most {REFERENCES_MAX} people can be known by their voices."
WRONG_COUNT = f"Between 1 and {SPEAKERS_MAX} speakers can be told apart."
SAME_NAME = "Each of the names stands for another person."
CHUNKING, AUTO_CHUNKING = "chunking_strategy", "auto"
_PART = re.compile(rf"{CHUNKING}\[(\w+)\]")
_OF_SPEAKERS = ("known_speaker_names", "known_speaker_references", "num_speakers")
_LISTS = (
    "timestamp_granularities",
    "keywords",
    "languages",
    "include",
    "known_speaker_names",
    "known_speaker_references",
)


class ResponseFormat(StrEnum):
    JSON = "json"
    TEXT = "text"
    SRT = "srt"
    VERBOSE_JSON = "verbose_json"
    VTT = "vtt"
    DIARIZED_JSON = "diarized_json"


class Granularity(StrEnum):
    WORD = "word"
    SEGMENT = "segment"


class Include(StrEnum):
    LOGPROBS = "logprobs"


Keyword = Annotated[str, StringConstraints(min_length=1, max_length=SPOKEN_CHARS_MAX), CLEAN_LINE]
LanguageCode = Annotated[str, StringConstraints(max_length=LANGUAGE_CODE_MAX), CLEAN_LINE]


SpeakerName = Annotated[str, StringConstraints(min_length=1, max_length=SPEAKER_NAME_MAX), CLEAN_LINE]
Reference = Annotated[bytes, BeforeValidator(sound_of), WithJsonSchema({"type": "string", "format": "uri"})]


class ServerVad(BaseModel):
    """How the sound is cut at pauses: each stretch of speech is transcribed by itself."""

    model_config = ConfigDict(extra="forbid")

    type: Literal["server_vad"]
    threshold: float = Field(0.5, ge=0.05, le=0.95)
    silence_duration_ms: int = Field(200, ge=50, le=10_000)
    prefix_padding_ms: int = Field(300, ge=0, le=2_000)

    @property
    def detection(self) -> VoiceDetection:
        return VoiceDetection(
            threshold=self.threshold, silence_ms=self.silence_duration_ms, padding_ms=self.prefix_padding_ms
        )


def _chunking(given: Any) -> Any:
    """`auto`, the usual way, is None. OpenAI's clients send the object as `name[field]`, others as JSON."""
    if given == AUTO_CHUNKING:
        return None
    if isinstance(given, str):
        with suppress(ValueError):
            return json.loads(given)
    return given


Chunking = Annotated[ServerVad | None, BeforeValidator(_chunking)]


class SpeechForm(BaseModel):
    """`prompt` and `keywords` reach speech models that take terms, which `/api/capabilities` calls `takes_vocabulary`.

    Those are Whisper in CTranslate2's form. Other models transcribe as they would without.
    """

    model_config = ConfigDict(populate_by_name=True, extra="ignore")

    model: Annotated[str, StringConstraints(min_length=1, max_length=MODEL_MAX), CLEAN_LINE]
    language: LanguageCode | None = None
    languages: list[LanguageCode] = Field([], alias="languages[]")
    prompt: Annotated[str | None, Field(max_length=PROMPT_MAX)] = None
    keywords: list[Keyword] = Field([], alias="keywords[]", max_length=PROMPT_TERMS_MAX)
    response_format: ResponseFormat = ResponseFormat.JSON
    timestamp_granularities: list[Granularity] = Field(
        [Granularity.SEGMENT], alias="timestamp_granularities[]", max_length=len(Granularity)
    )
    include: list[Include] = Field([], alias="include[]", max_length=len(Include))
    known_speaker_names: list[SpeakerName] = Field([], alias="known_speaker_names[]", max_length=REFERENCES_MAX)
    known_speaker_references: list[Reference] = Field([], alias="known_speaker_references[]", max_length=REFERENCES_MAX)
    num_speakers: int | None = Field(None, ge=1, le=SPEAKERS_MAX)
    chunking_strategy: Chunking = None
    temperature: float = Field(0, ge=0, le=1)
    stream: bool = False

    @property
    def wants_logprobs(self) -> bool:
        return Include.LOGPROBS in self.include

    @property
    def wants_speakers(self) -> bool:
        return self.response_format is ResponseFormat.DIARIZED_JSON

    @property
    def references(self) -> list[SentReference]:
        pairs = zip(self.known_speaker_names, self.known_speaker_references, strict=True)
        return [SentReference(name, sound) for name, sound in pairs]

    @property
    def spoken(self) -> str | None:
        """The one language that the sound is in, where the program named it."""
        return self.language or next(iter(self.languages), None)


def read_fields(fields: Mapping[str, Sequence[str]]) -> SpeechForm:
    """Raises `BadCall` with the first thing that is wrong."""
    values: dict[str, Any] = {}
    for name, given in fields.items():
        # OpenAI's client sends lists as `name[]`, others as the name again.
        plain = name.removesuffix("[]")
        part = _PART.fullmatch(name)
        if plain in _LISTS:
            values.setdefault(f"{plain}[]", []).extend(given)
        elif part is not None:
            held = values.setdefault(CHUNKING, {})
            if isinstance(held, dict):
                held[part[1]] = given[-1]
        else:
            values[name] = given[-1]
    try:
        form = SpeechForm.model_validate(values)
    except ValidationError as wrong:
        raise _refusal(wrong) from None
    _refuse_what_nobody_follows(form, fields)
    return form


def _refuse_what_nobody_follows(form: SpeechForm, fields: Mapping[str, Sequence[str]]) -> None:
    given = {name.partition("[")[0]: sent[-1] for name, sent in fields.items()}
    for name in _OF_SPEAKERS:
        if name in given and not form.wants_speakers:
            raise BadCall.field(name, DIARIZED_ALONE)
    if len(form.known_speaker_names) != len(form.known_speaker_references):
        raise BadCall.field("known_speaker_references", BOTH_OR_NEITHER)
    if len({name.casefold() for name in form.known_speaker_names}) < len(form.known_speaker_names):
        raise BadCall.field("known_speaker_names", SAME_NAME)
    if len(form.languages) > 1 and not form.language:
        raise BadCall.field("languages", ONE_LANGUAGE)
    if "timestamp_granularities" in given and form.response_format is not ResponseFormat.VERBOSE_JSON:
        raise BadCall.field("timestamp_granularities", NEEDS_VERBOSE)
    if form.include and form.response_format is not ResponseFormat.JSON:
        raise BadCall.field("include", JSON_ALONE)


def _refusal(wrong: ValidationError) -> BadCall:
    problem = wrong.errors()[0]
    field, sentence = field_sentence(problem)
    if problem["type"] == "too_long" and field.startswith(_OF_SPEAKERS):
        sentence = TOO_MANY_KNOWN
    name = field.partition(".")[0]
    return BadCall.field(name, _SENTENCES.get(name, sentence))


_SENTENCES = {
    CHUNKING: WRONG_CHUNKING,
    "num_speakers": WRONG_COUNT,
    "response_format": WRONG_FORMAT.format(formats=", ".join(ResponseFormat)),
}
"""What is said of these fields, whatever is wrong with them."""


def request_body(form: type[BaseModel] = SpeechForm) -> dict[str, Any]:
    """The body of a call for OpenAPI: these fields and the file."""
    schema = form.model_json_schema(by_alias=True, ref_template="#/{model}")
    definitions = schema.pop("$defs", {})
    properties = {name: _without_refs(each, definitions) for name, each in schema["properties"].items()}
    properties["file"] = {"type": "string", "contentMediaType": "application/octet-stream"}
    described = {"type": "object", "required": ["file", "model"], "properties": properties}
    return {"requestBody": {"required": True, "content": {"multipart/form-data": {"schema": described}}}}


def _without_refs(schema: Any, definitions: Mapping[str, Any]) -> Any:
    if isinstance(schema, list):
        return [_without_refs(each, definitions) for each in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return {**definitions[schema["$ref"].rpartition("/")[2]], **{k: v for k, v in schema.items() if k != "$ref"}}
    return {name: _without_refs(each, definitions) for name, each in schema.items()}
