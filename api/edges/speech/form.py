"""The fields of a call of the speech API, as OpenAI's clients send them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from api.content.glossary.spoken import SPOKEN_CHARS_MAX
from api.edges.speech.errors import BadCall
from api.platform.http.fields import field_sentence
from api.platform.http.limits import LANGUAGE_CODE_MAX
from api.platform.http.text import CLEAN_LINE
from pipelines.messages.spoken_terms import PROMPT_TERMS_MAX

MODEL_MAX = 200
PROMPT_MAX = 20_000
WRONG_FORMAT = "The response format must be one of {formats}."
_NOT_HERE = {
    "known_speaker_names": "Speakers are not recognised in this call. Leave `known_speaker_names` out.",
    "known_speaker_references": "Speakers are not recognised in this call. Leave `known_speaker_references` out.",
}
"""Fields of OpenAI's call that would change the answer, and that no model here can follow."""
NO_CHUNKING = "The sound is cut at pauses, which is the strategy `auto`. Send that, or leave `chunking_strategy` out."
NO_TEMPERATURE = "The models here choose the temperature themselves. Send 0, or leave `temperature` out."
NEEDS_VERBOSE = "Times are part of `verbose_json` alone. Send `response_format=verbose_json`, or no granularities."
ONE_LANGUAGE = "The models here choose among all languages that they know, or take one. Send that one in `language`."
JSON_ALONE = "Log probabilities are part of `json` alone. Send `response_format=json`, or leave `include` out."
_LISTS = ("timestamp_granularities", "keywords", "languages", "include")


class ResponseFormat(StrEnum):
    JSON = "json"
    TEXT = "text"
    SRT = "srt"
    VERBOSE_JSON = "verbose_json"
    VTT = "vtt"


class Granularity(StrEnum):
    WORD = "word"
    SEGMENT = "segment"


class Include(StrEnum):
    LOGPROBS = "logprobs"


Keyword = Annotated[str, StringConstraints(min_length=1, max_length=SPOKEN_CHARS_MAX), CLEAN_LINE]
LanguageCode = Annotated[str, StringConstraints(max_length=LANGUAGE_CODE_MAX), CLEAN_LINE]


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
    temperature: float = Field(0, ge=0, le=1)
    stream: bool = False

    @property
    def wants_logprobs(self) -> bool:
        return Include.LOGPROBS in self.include

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
        if plain in _LISTS:
            values.setdefault(f"{plain}[]", []).extend(given)
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
    for name, sentence in _NOT_HERE.items():
        if name in given:
            raise BadCall.field(name, sentence)
    if given.get("chunking_strategy", "auto") != "auto":
        raise BadCall.field("chunking_strategy", NO_CHUNKING)
    if form.temperature > 0:
        raise BadCall.field("temperature", NO_TEMPERATURE)
    if len(form.languages) > 1 and not form.language:
        raise BadCall.field("languages", ONE_LANGUAGE)
    if "timestamp_granularities" in given and form.response_format is not ResponseFormat.VERBOSE_JSON:
        raise BadCall.field("timestamp_granularities", NEEDS_VERBOSE)
    if form.include and form.response_format is not ResponseFormat.JSON:
        raise BadCall.field("include", JSON_ALONE)


def _refusal(wrong: ValidationError) -> BadCall:
    problem = wrong.errors()[0]
    field, sentence = field_sentence(problem)
    if field == "response_format":
        sentence = WRONG_FORMAT.format(formats=", ".join(ResponseFormat))
    return BadCall.field(field.partition(".")[0], sentence)


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
