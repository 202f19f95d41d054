"""What a page must know before anybody signs in: where uploads and realtime live, and the upload rules."""

from __future__ import annotations

from urllib.parse import urlsplit

from fastapi import APIRouter
from pydantic import BaseModel

from api.http.envelope import Data
from api.http.state import State
from pipelines.captions.rules import DEFAULT_RULES
from pipelines.languages import AUTO, BROAD, REGIONAL, LanguageOption

UPLOAD_CHUNK_BYTES = 50_000_000
UPLOAD_CONCURRENCY = 20
UPLOAD_RETRY_DELAYS_MS = (100, 1000, 3000, 5000)
MAX_UPLOADS = 20
DETECT = "Detect the language"

router = APIRouter(prefix="/api", tags=["config"])


class RealtimeConfig(BaseModel):
    key: str
    host: str
    port: int
    path: str
    tls: bool


class UploadConfig(BaseModel):
    endpoint: str
    chunk_size: int
    concurrency: int
    retry_delays: list[int]
    max_uploads: int


class LanguageOut(BaseModel):
    """`country` is set in the regional list and empty in the broad one."""

    label: str
    value: str
    country: str | None


class CaptionRulesConfig(BaseModel):
    """What a caption should keep to: characters a row, rows a line, and characters a second."""

    max_row: int
    max_rows: int
    warn_speed: float
    max_speed: float


class PublicConfig(BaseModel):
    realtime: RealtimeConfig
    uploads: UploadConfig
    captions: CaptionRulesConfig
    default_language: str
    languages: list[LanguageOut]


@router.get("/config")
async def public_config(state: State) -> Data[PublicConfig]:
    settings = state.settings
    url = urlsplit(settings.realtime_url or settings.base_url)
    tls = url.scheme == "https"
    return Data(
        data=PublicConfig(
            realtime=RealtimeConfig(
                key=settings.realtime_key,
                host=url.hostname or settings.host,
                port=url.port or (443 if tls else 80),
                path=url.path,
                tls=tls,
            ),
            uploads=UploadConfig(
                endpoint=settings.uploads_endpoint,
                chunk_size=UPLOAD_CHUNK_BYTES,
                concurrency=UPLOAD_CONCURRENCY,
                retry_delays=list(UPLOAD_RETRY_DELAYS_MS),
                max_uploads=MAX_UPLOADS,
            ),
            captions=CaptionRulesConfig.model_validate(DEFAULT_RULES, from_attributes=True),
            default_language=settings.default_language,
            languages=[
                LanguageOut(label=entry.label, value=entry.value, country=entry.country)
                for entry in (*REGIONAL, LanguageOption(DETECT, AUTO), *BROAD)
            ],
        )
    )


@router.get("/health")
async def health(state: State) -> dict[str, str]:
    async with state.database.read() as session:
        await session.connection()
    return {"status": "ok"}
