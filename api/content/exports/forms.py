"""Turns what a person chose into the form of an export, or says why the file does not allow it."""

from __future__ import annotations

from typing import Any

from api.content.exports.schemas import ExportOptions, ExportRequest, ExportSettings, HeightsOut, SoundOut
from api.content.files.models import File
from api.platform.http.errors import Invalid
from cluster.wording.message import Message
from pipelines.media.colour import Transfer
from pipelines.media.export.canvas import largest_short_side
from pipelines.media.export.soft_subtitles import webm_refusal
from pipelines.messages.export_form import (
    FORMS_OF_MODE,
    SHORT_SIDES,
    Aspect,
    Clip,
    ExportForm,
    ExportMode,
    FileForm,
    Fit,
    PictureForm,
)

NO_VIDEO_WEBM = Message("exports.no_video_webm", "This file form does not fit. Choose one that the export type offers.")
TRACKS_KEEP_PICTURE = Message(
    "exports.tracks_keep_picture",
    "A subtitle track leaves the picture as it is. Burn the captions in to change its shape or size.",
)
ONE_LANGUAGE = Message(
    "exports.one_language", "Only one language can be drawn into the picture. Export a subtitle track for several."
)
NO_SUCH_SOUND = Message("exports.no_such_sound", "The file has no such sound track. Reload the page and choose again.")
BAD_CLIP = Message("exports.bad_clip", "The part must end after it starts, and start before the file ends.")
NO_SOUND = Message("exports.no_sound", "This file has no sound to export.")


def form_of(file: File, request: ExportRequest) -> ExportForm:
    """Raises `Invalid` with the field that does not fit the file."""
    offered = FORMS_OF_MODE[request.mode]
    chosen = request.file_form or offered[0]
    if chosen not in offered:
        raise Invalid.field("file_form", NO_VIDEO_WEBM)
    if chosen is FileForm.WEBM and (refusal := _webm_refusal(file)):
        raise Invalid.field("file_form", refusal)
    if request.mode is not ExportMode.BURNED and (request.aspect is not Aspect.ORIGINAL or request.height is not None):
        raise Invalid.field("aspect" if request.aspect is not Aspect.ORIGINAL else "height", TRACKS_KEEP_PICTURE)
    if request.mode is ExportMode.BURNED and any(code != request.language for code in request.languages):
        raise Invalid.field("languages", ONE_LANGUAGE)
    sounds = sounds_of(file)
    if request.sounds is not None and not set(request.sounds) <= {sound.index for sound in sounds}:
        raise Invalid.field("sounds", NO_SUCH_SOUND)
    if request.mode is ExportMode.AUDIO and (request.sounds == [] or (file.facts and not sounds)):
        raise Invalid.field("mode", NO_SOUND)
    _check_height(file, request)
    picture = PictureForm(request.aspect, request.fit, request.height, request.quality, request.crop_x, request.crop_y)
    chosen_sounds = None if request.sounds is None else tuple(request.sounds)
    return ExportForm(chosen, picture, chosen_sounds, _clip(file, request))


def settings_of(request: ExportRequest) -> dict[str, Any]:
    """What the row of an export keeps, to show it and to order it again."""
    settings = ExportSettings.model_validate(request.model_dump(include=set(ExportSettings.model_fields)))
    return {**settings.model_dump(mode="json"), "languages": languages_of(request)}


def languages_of(request: ExportRequest) -> list[str]:
    """The languages of the tracks, each once, the first one shown by default."""
    return list(dict.fromkeys([request.language, *request.languages]))


def sounds_of(file: File) -> list[SoundOut]:
    """The sound tracks of the original; files prepared by earlier versions show the one that they know."""
    main = file.facts.get("audio") or {}
    return [
        SoundOut(
            index=each["index"],
            codec=each["codec"],
            channels=each["channels"],
            language=each["language"],
            is_default=each["index"] == main.get("index"),
        )
        for each in file.facts.get("sounds") or ([main] if main else [])
    ]


def options_of(file: File) -> ExportOptions:
    """Everything but the captions."""
    return ExportOptions(
        kind=file.kind,
        duration_ms=file.duration_ms,
        width=file.width,
        height=file.height,
        is_hdr=(file.facts.get("video") or {}).get("transfer", Transfer.SDR) != Transfer.SDR,
        captions=[],
        sounds=sounds_of(file),
        heights=[
            HeightsOut(aspect=aspect, fit=fit, heights=_heights(file.width, file.height, aspect, fit))
            for aspect in Aspect
            for fit in Fit
            if file.width and file.height
        ],
        file_forms={
            mode: [form for form in forms if form is not FileForm.WEBM or _webm_refusal(file) is None]
            for mode, forms in FORMS_OF_MODE.items()
        },
    )


def _webm_refusal(file: File) -> str | None:
    video = file.facts.get("video")
    return webm_refusal(video["codec"], video.get("rotation", 0)) if video else None


def _heights(width: int, height: int, aspect: Aspect, fit: Fit) -> list[int]:
    largest = largest_short_side(width, height, aspect, fit)
    return [side for side in SHORT_SIDES if side < largest]


def _check_height(file: File, request: ExportRequest) -> None:
    if request.height is None or not file.width or not file.height:
        return
    largest = largest_short_side(file.width, file.height, request.aspect, request.fit)
    if request.height > largest:
        raise Invalid.field(
            "height",
            Message(
                "exports.would_enlarge",
                "The picture would have to be enlarged. Choose {largest} pixels or fewer for its short side.",
                largest=largest,
            ),
        )


def _clip(file: File, request: ExportRequest) -> Clip | None:
    if request.clip_start_ms is None and request.clip_end_ms is None:
        return None
    whole = file.duration_ms or 0
    start, end = request.clip_start_ms or 0, request.clip_end_ms or whole
    if start >= end or (whole and start >= whole):
        raise Invalid.field("clip_end_ms", BAD_CLIP)
    return Clip(start, min(end, whole) if whole else end)
