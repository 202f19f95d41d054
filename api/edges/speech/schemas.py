"""The answers of the speech API, in the forms of OpenAI's."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel


class ServedModel(BaseModel):
    id: str
    object: Literal["model"] = "model"
    created: int
    owned_by: str


class ModelList(BaseModel):
    object: Literal["list"] = "list"
    data: list[ServedModel]


class Usage(BaseModel):
    """Seconds of sound, rounded up."""

    type: Literal["duration"] = "duration"
    seconds: int


class StreamUsage(BaseModel):
    """Usage at the end of a stream. OpenAI's type there counts billed tokens, of which there are none."""

    type: Literal["tokens"] = "tokens"
    input_tokens: int = 0
    output_tokens: int = 0
    total_tokens: int = 0
    seconds: int


class Logprob(BaseModel):
    """`bytes` are those of the token in UTF-8."""

    token: str
    logprob: float
    bytes: list[int]


class Transcription(BaseModel):
    """`logprobs` is there where `include[]=logprobs` asks for it: one for each word."""

    text: str
    logprobs: list[Logprob] | None = None
    usage: Usage


class DiarizedSegment(BaseModel):
    """What one speaker says in a row. Times in seconds."""

    type: Literal["transcript.text.segment"] = "transcript.text.segment"
    id: str
    start: float
    end: float
    text: str
    speaker: str


class DiarizedTranscription(BaseModel):
    task: Literal["transcribe"] = "transcribe"
    duration: float
    text: str
    segments: list[DiarizedSegment]
    usage: Usage


class SpeechWord(BaseModel):
    """Times in seconds."""

    word: str
    start: float
    end: float


class SpeechSegment(BaseModel):
    """Times in seconds. `avg_logprob` is the mean over the words, and `no_speech_prob` 0: only speech is decoded.

    `tokens` is empty: no engine hands them out.
    """

    id: int
    seek: int
    start: float
    end: float
    text: str
    tokens: list[int] = []
    temperature: float = 0.0
    avg_logprob: float
    compression_ratio: float
    no_speech_prob: float = 0.0


class VerboseTranscription(BaseModel):
    """`language` is its English name. `words` and `segments` are there as `timestamp_granularities` asks."""

    task: Literal["transcribe", "translate"]
    language: str
    duration: float
    text: str
    segments: list[SpeechSegment] | None = None
    words: list[SpeechWord] | None = None
    usage: Usage
