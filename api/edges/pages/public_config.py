"""What a page needs before anybody signs in: addresses, limits, languages and the duration of messages."""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import BaseModel

from api.edges.pages.public_limits import COUNT_LIMITS, TEXT_LIMITS, CountLimits, TextLimits
from api.people.account.editor_settings import EditorSettings
from api.people.billing.config import BillingConfig, billing_config
from api.platform.capabilities.queries import capability_of
from api.platform.http.envelope import Data
from api.platform.http.limits import IMPORT_BYTES_MAX, IMPORT_FRAME_BYTES, REASON_MIN
from api.platform.http.pages.language import PageText
from api.platform.http.state import ReadSession, State
from api.platform.realtime.browser_address import browser_address
from api.platform.realtime.relay.protocol import ACTIVITY_TIMEOUT_S, PONG_TIMEOUT_S
from cluster.wording.message import Message
from pipelines.captions.forms.form import FormGroup
from pipelines.captions.forms.registry import FORMS
from pipelines.language_choice import default_language, unavailable_reason
from pipelines.languages import AUTO, BROAD, REGIONAL, LanguageOption
from pipelines.media.limits import MAX_DURATION_MS
from pipelines.messages.caption_rules import DEFAULT_RULES, RULES_BY_LANGUAGE, CaptionRules
from serve.core.capability import TaskState
from serve.core.messages import EngineInfo

UPLOAD_CHUNK_BYTES = 50_000_000
UPLOAD_CONCURRENCY = 20
UPLOAD_RETRY_DELAYS_MS = (100, 1000, 3000, 5000)
MAX_UPLOADS = 20
ACCEPTED = (
    "audio/*",
    "video/*",
    *(".mkv", ".mts", ".m2ts", ".ts", ".avi", ".mxf", ".flac", ".ogg", ".opus"),
)
TOAST_MS = 3000
DETECT = Message("pages.detect_language", "Detect language")

router = APIRouter(prefix="/api", tags=["config"])


class RealtimeConfig(BaseModel):
    """`host`, `port` and `path` are null where the client derives them from the `cluster` of hosted Pusher."""

    key: str
    cluster: str | None
    host: str | None
    port: int | None
    path: str | None
    tls: bool
    activity_timeout_ms: int
    """A client pings after this long without a message."""
    pong_timeout_ms: int
    """It connects again when the pong takes longer than this."""


class UploadConfig(BaseModel):
    endpoint: str
    chunk_size: int
    concurrency: int
    retry_delays: list[int]
    max_uploads: int
    max_bytes: int
    """The largest file."""
    max_duration_ms: int
    """The longest recording. The product rejects longer ones after the upload, too."""
    accepted: list[str]
    """MIME patterns, and extensions that browsers have no MIME type for."""


class LanguageOut(BaseModel):
    """`country` is set in the regional list and null in the broad one.

    `reason` says briefly why a language that is not `available` cannot be transcribed now.
    """

    label: PageText
    value: str
    country: str | None
    available: bool
    reason: PageText | None


class CaptionRulesConfig(BaseModel):
    """The limits for a caption: characters per row, rows per line, and characters per second."""

    max_row: int
    max_rows: int
    warn_speed: float
    max_speed: float


class CaptionFormOut(BaseModel):
    """A form of caption files. `is_read`: it can be imported; `is_written`: it can be downloaded.

    `counts_frames`: times depend on a frame rate, which a person may choose. `rolls_up`: rows may stay on the
    screen while others come, and a person may choose to see them again.
    """

    id: str
    label: PageText
    suffixes: list[str]
    group: FormGroup
    is_read: bool
    is_written: bool
    counts_frames: bool
    rolls_up: bool


class PublicConfig(BaseModel):
    """`default_language` is for files without a chosen language and depends on the loaded model.

    `captions_by_language` has the limits for languages that are read at another speed, by code without a region.

    While `model_state` is `starting`, the model is not known yet and people may choose any language.
    """

    realtime: RealtimeConfig
    uploads: UploadConfig
    captions: CaptionRulesConfig
    captions_by_language: dict[str, CaptionRulesConfig]
    caption_forms: list[CaptionFormOut]
    caption_file_bytes_max: int
    """The largest subtitle file that can be imported."""
    default_language: str
    model_state: TaskState
    languages: list[LanguageOut]
    text_limits: TextLimits
    count_limits: CountLimits
    editor_settings: EditorSettings
    """The caption editor as it is before a person sets it up."""
    reason_min: int
    """The shortest reason for opening somebody's account, in characters."""
    mail: bool
    """Whether mail leaves this installation, so that people can be told to look for one."""
    billing: BillingConfig | None
    """Null where people need no plan."""
    toast_ms: int
    """How long a message at the top of a page stays."""


_FORMS = [
    CaptionFormOut(
        id=form.id,
        label=form.label,
        suffixes=list(form.suffixes),
        group=form.group,
        is_read=form.read is not None,
        is_written=form.write is not None,
        counts_frames=form.counts_frames,
        rolls_up=form.rolls_up,
    )
    for form in FORMS
]


@router.get("/config")
async def public_config(state: State, session: ReadSession) -> Data[PublicConfig]:
    settings = state.settings
    speech = await capability_of(session)
    loaded = speech.loaded
    realtime = browser_address(settings)
    return Data(
        data=PublicConfig(
            realtime=RealtimeConfig(
                key=settings.realtime_key,
                cluster=realtime.cluster,
                host=realtime.host,
                port=realtime.port,
                path=realtime.path,
                tls=realtime.tls,
                activity_timeout_ms=ACTIVITY_TIMEOUT_S * 1000,
                pong_timeout_ms=PONG_TIMEOUT_S * 1000,
            ),
            uploads=UploadConfig(
                endpoint=settings.uploads_endpoint,
                chunk_size=UPLOAD_CHUNK_BYTES,
                concurrency=UPLOAD_CONCURRENCY,
                retry_delays=list(UPLOAD_RETRY_DELAYS_MS),
                max_uploads=MAX_UPLOADS,
                max_bytes=settings.max_upload_bytes,
                max_duration_ms=MAX_DURATION_MS,
                accepted=list(ACCEPTED),
            ),
            captions=_limits(DEFAULT_RULES),
            captions_by_language={code: _limits(rules) for code, rules in RULES_BY_LANGUAGE.items()},
            caption_forms=_FORMS,
            caption_file_bytes_max=IMPORT_BYTES_MAX - IMPORT_FRAME_BYTES,
            default_language=default_language(loaded, settings.default_language),
            model_state=speech.state,
            languages=[_language(entry, loaded) for entry in (LanguageOption(DETECT, AUTO), *REGIONAL, *BROAD)],
            text_limits=TEXT_LIMITS,
            count_limits=COUNT_LIMITS,
            editor_settings=EditorSettings(),
            reason_min=REASON_MIN,
            mail=settings.sends_mail,
            billing=billing_config(settings),
            toast_ms=TOAST_MS,
        )
    )


def _limits(rules: CaptionRules) -> CaptionRulesConfig:
    return CaptionRulesConfig.model_validate(rules, from_attributes=True)


def _language(entry: LanguageOption, loaded: EngineInfo | None) -> LanguageOut:
    reason = unavailable_reason(loaded, entry.value)
    return LanguageOut(
        label=entry.label, value=entry.value, country=entry.country, available=reason is None, reason=reason
    )


@router.get("/health")
async def health(state: State) -> dict[str, str]:
    async with state.database.read() as session:
        await session.connection()
    return {"status": "ok"}
