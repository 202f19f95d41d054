"""What programs and the websocket say to each other: OpenAI's realtime events of a transcription session.

Source: the types of OpenAI's client for Python 3.54, `openai.types.realtime`. What they ask for and nothing here can
do is refused by its name.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter

from api.edges.speech.form import MODEL_MAX, PROMPT_MAX, Keyword, LanguageCode
from api.edges.speech.schemas import Logprob, Usage
from api.platform.http.openai_errors import OpenAiError
from api.platform.http.text import CLEAN_LINE
from pipelines.messages.requests import VoiceDetection
from pipelines.messages.spoken_terms import PROMPT_TERMS_MAX

RATE: Literal[24_000] = 24_000
"""Samples a second in OpenAI's form."""
EVENT_ID_MAX = 512


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class SoundFormat(_Strict):
    type: Literal["audio/pcm"] = "audio/pcm"
    rate: Literal[24_000] = RATE


class RealtimeTranscription(_Strict):
    """Like the fields of the same names in a call of `/v1/audio/transcriptions`."""

    model: Annotated[str, StringConstraints(min_length=1, max_length=MODEL_MAX), CLEAN_LINE] | None = None
    language: LanguageCode | None = None
    prompt: Annotated[str, Field(max_length=PROMPT_MAX)] | None = None
    keywords: list[Keyword] = Field([], max_length=PROMPT_TERMS_MAX)


class RealtimeVad(_Strict):
    """When an item ends by itself. Whether answers are made is for sessions that answer."""

    type: Literal["server_vad"] = "server_vad"
    threshold: float = Field(0.5, ge=0.05, le=0.95)
    silence_duration_ms: int = Field(500, ge=50, le=10_000)
    prefix_padding_ms: int = Field(300, ge=0, le=2_000)
    create_response: bool = Field(False, exclude=True)
    interrupt_response: bool = Field(False, exclude=True)

    @property
    def detection(self) -> VoiceDetection:
        return VoiceDetection(
            threshold=self.threshold, silence_ms=self.silence_duration_ms, padding_ms=self.prefix_padding_ms
        )


class SoundIn(_Strict):
    """A field that is not sent stays as it was. `turn_detection` is null where the program ends each item itself."""

    format: SoundFormat = SoundFormat()
    transcription: RealtimeTranscription = RealtimeTranscription()
    turn_detection: RealtimeVad | None = RealtimeVad()
    noise_reduction: None = None


class SessionAudio(_Strict):
    input: SoundIn = SoundIn()


class SessionIn(_Strict):
    type: Literal["transcription"] = "transcription"
    audio: SessionAudio = SessionAudio()
    include: list[Literal["item.input_audio_transcription.logprobs"]] = Field([], max_length=1)


class SessionUpdate(_Strict):
    type: Literal["session.update"]
    event_id: Annotated[str, Field(max_length=EVENT_ID_MAX)] | None = None
    session: SessionIn


class Append(_Strict):
    """`audio`: mono signed 16-bit little-endian samples at 24 kHz, in base64."""

    type: Literal["input_audio_buffer.append"]
    event_id: Annotated[str, Field(max_length=EVENT_ID_MAX)] | None = None
    audio: str


class Commit(_Strict):
    """What was said so far is an item."""

    type: Literal["input_audio_buffer.commit"]
    event_id: Annotated[str, Field(max_length=EVENT_ID_MAX)] | None = None


class Clear(_Strict):
    type: Literal["input_audio_buffer.clear"]
    event_id: Annotated[str, Field(max_length=EVENT_ID_MAX)] | None = None


ClientEvent = SessionUpdate | Append | Commit | Clear
CLIENT_EVENTS: TypeAdapter[ClientEvent] = TypeAdapter(Annotated[ClientEvent, Field(discriminator="type")])


class SessionOut(SessionIn):
    """`kept_ms`: so much sound is kept, and a program that connects again with this `id` goes on behind it.

    `recording`: the live recording, as `/api/v1/live` knows it; null before the first sound. `expires_at`: when the
    recording ends by itself, in seconds since 1970; null while that is hours away.
    """

    id: str
    object: Literal["realtime.transcription_session"] = "realtime.transcription_session"
    kept_ms: int = 0
    recording: str | None = None
    expires_at: int | None = None


class SessionEvent(BaseModel):
    type: Literal["session.created", "session.updated"]
    session: SessionOut


class SpeechStarted(BaseModel):
    type: Literal["input_audio_buffer.speech_started"] = "input_audio_buffer.speech_started"
    item_id: str
    audio_start_ms: int


class SpeechStopped(BaseModel):
    type: Literal["input_audio_buffer.speech_stopped"] = "input_audio_buffer.speech_stopped"
    item_id: str
    audio_end_ms: int


class Committed(BaseModel):
    type: Literal["input_audio_buffer.committed"] = "input_audio_buffer.committed"
    item_id: str
    previous_item_id: str | None


class Cleared(BaseModel):
    type: Literal["input_audio_buffer.cleared"] = "input_audio_buffer.cleared"


class ItemContent(BaseModel):
    type: Literal["input_audio"] = "input_audio"
    transcript: str | None = None


class Item(BaseModel):
    id: str
    object: Literal["realtime.item"] = "realtime.item"
    type: Literal["message"] = "message"
    role: Literal["user"] = "user"
    status: Literal["in_progress", "completed", "incomplete"]
    content: list[ItemContent]


class ItemEvent(BaseModel):
    type: Literal["conversation.item.added", "conversation.item.done"]
    item: Item
    previous_item_id: str | None


class Delta(BaseModel):
    """Words that no longer change."""

    type: Literal["conversation.item.input_audio_transcription.delta"] = (
        "conversation.item.input_audio_transcription.delta"
    )
    item_id: str
    content_index: Literal[0] = 0
    delta: str


class Completed(BaseModel):
    """The item as it is read once more when it is over: what becomes lines of the captions."""

    type: Literal["conversation.item.input_audio_transcription.completed"] = (
        "conversation.item.input_audio_transcription.completed"
    )
    item_id: str
    content_index: Literal[0] = 0
    transcript: str
    usage: Usage
    logprobs: list[Logprob] | None = None


class Failed(BaseModel):
    type: Literal["conversation.item.input_audio_transcription.failed"] = (
        "conversation.item.input_audio_transcription.failed"
    )
    item_id: str
    content_index: Literal[0] = 0
    error: OpenAiError


class EventProblem(OpenAiError):
    """`event_id` is that of the program's event that is refused."""

    event_id: str | None = None


class Problem(BaseModel):
    type: Literal["error"] = "error"
    error: EventProblem


ServerEvent = (
    SessionEvent
    | SpeechStarted
    | SpeechStopped
    | Committed
    | Cleared
    | ItemEvent
    | Delta
    | Completed
    | Failed
    | Problem
)
