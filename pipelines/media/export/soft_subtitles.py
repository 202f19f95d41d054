"""Adds captions to a video as tracks that players switch on and off."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from pathlib import Path

from cluster.wording.message import Message
from pipelines.captions.lanes import one_at_a_time
from pipelines.languages import UNKNOWN, iso_639_2, language_label
from pipelines.media.export.ass import track_script
from pipelines.media.export.burn_in import drawn_picture
from pipelines.media.export.clip import length_ms, lines_within, open_at
from pipelines.media.export.encoders import Encoder
from pipelines.media.export.file_output import file_output
from pipelines.media.export.sound_tracks import chosen_sounds, sound_arguments, sound_tags
from pipelines.media.export.timecode import timecode_tags
from pipelines.media.ffmpeg import own_file, render
from pipelines.media.limits import render_limits
from pipelines.media.playback import TIMED
from pipelines.media.probe import MediaFacts, VideoFacts
from pipelines.messages.attempt import StageFailed
from pipelines.messages.export_form import ExportForm, FileForm, PictureForm
from pipelines.messages.lines import CaptionLine

STAGE = "export"
FAILURE = Message(
    "pipelines.media.soft_subtitles_failure",
    "The captions could not be added to this file as a track. Convert it to MP4 and upload it again.",
)
TURNED_WEBM = Message(
    "pipelines.media.turned_webm",
    "This video is turned when it plays, which a WebM file cannot hold. Choose MP4 or MKV.",
)
NO_WEBM = Message("pipelines.media.no_webm", "Only VP8, VP9 and AV1 video fits into a WebM file. Choose MP4 or MKV.")

_COPIED_VIDEO = {
    FileForm.MP4: frozenset({"h264", "hevc", "av1", "vp9", "mpeg4"}),
    FileForm.MKV: frozenset({"h264", "hevc", "av1", "vp8", "vp9", "mpeg4", "mpeg2video"}),
    FileForm.WEBM: frozenset({"vp8", "vp9", "av1"}),
}
_CODEC = {FileForm.MP4: "mov_text", FileForm.MKV: "subrip", FileForm.WEBM: "webvtt"}


@dataclass(frozen=True, slots=True)
class SubtitleTrack:
    """The captions in one language, a locale code such as `is-IS`. `is_forced`: players show them unasked."""

    language: str
    lines: Sequence[CaptionLine]
    is_forced: bool = False


def webm_refusal(codec: str, rotation: int) -> str | None:
    """Why a picture cannot go into a WebM file, which takes it only as it is; None where it can."""
    if codec not in _COPIED_VIDEO[FileForm.WEBM]:
        return NO_WEBM
    return TURNED_WEBM if rotation else None


def add_tracks(
    path: Path, facts: MediaFacts, tracks: Sequence[SubtitleTrack], target: Path, form: ExportForm
) -> Generator[int, None, None]:
    """Write a file with the original's streams and a subtitle track in each language; the first shows by default.

    In MKV, forced captions are in a track of their own as well, which players show while subtitles are off. Streams
    that the file form can hold are copied. Yields the milliseconds written.
    """
    length = length_ms(facts, form.clip)
    arguments = open_at(path, facts, form.clip)
    tracks = [*tracks, *_forced(tracks)] if form.file is FileForm.MKV else tracks
    for number, track in enumerate(tracks):
        lines = lines_within(track.lines, facts, form.clip)
        # Timed text of MP4 has no two samples at once: players would show the later alone.
        shown = one_at_a_time(lines) if form.file is FileForm.MP4 else lines
        script = track_script(shown, as_html=form.file is FileForm.WEBM)
        (target.parent / _script(number)).write_text(script, encoding="utf-8")
        arguments += own_file(_script(number), "ass")
    if facts.video is not None:
        arguments += ["-map", f"0:{facts.video.index}", *_video(facts, facts.video, form.file)]
    sounds = chosen_sounds(facts, form.sounds)
    arguments += sound_arguments(sounds, form.file)
    for number in range(len(tracks)):
        arguments += ["-map", f"{number + 1}:0"]
    arguments += ["-c:s", _CODEC[form.file]]
    tags = [*sound_tags(sounds), *_tags(tracks), *timecode_tags(facts.video, form.file, form.clip)]
    output = file_output(target, form.file, tags=tags, duration_ms=length if form.clip else None)
    limits = render_limits(length, facts.size_bytes)
    yield from render(STAGE, [*arguments, *output], limits=limits, cwd=target.parent, failure=FAILURE)


def _forced(tracks: Sequence[SubtitleTrack]) -> list[SubtitleTrack]:
    """For each language with forced captions a track of those alone."""
    forced = [SubtitleTrack(each.language, [line for line in each.lines if line.forced], True) for each in tracks]
    return [track for track in forced if track.lines]


def _script(number: int) -> str:
    return f"captions-{number}.ass"


def _tags(tracks: Sequence[SubtitleTrack]) -> list[str]:
    """Language, title and default of each track. MP4 calls the title the name of the handler."""
    tags: list[str] = []
    for number, track in enumerate(tracks):
        stream = f"s:s:{number}"
        tags += [f"-metadata:{stream}", f"language={iso_639_2(track.language)}"]
        label = language_label(track.language)
        if label != UNKNOWN:
            tags += [f"-metadata:{stream}", f"title={label}", f"-metadata:{stream}", f"handler_name={label}"]
        shown = "forced" if track.is_forced else "default" if number == 0 else "0"
        tags += [f"-disposition:s:{number}", shown]
    return tags


def _video(facts: MediaFacts, video: VideoFacts, form: FileForm) -> list[str]:
    if form is FileForm.WEBM and (refusal := webm_refusal(video.codec, video.rotation)):
        raise StageFailed(STAGE, refusal, retryable=False)
    # ffmpeg writes how a picture is turned into MP4 only: a copied film of a phone would lie on its side elsewhere.
    keeps_turn = form is FileForm.MP4 or video.rotation == 0
    if video.codec in _COPIED_VIDEO[form] and facts.container in TIMED and keeps_turn:
        # Apple's players recognise HEVC in MP4 by this tag only.
        return ["-c:v", "copy", *(("-tag:v", "hvc1") if video.codec == "hevc" and form is FileForm.MP4 else ())]
    picture = drawn_picture(video, PictureForm(), Encoder.X264, with_captions=False)
    return ["-vf", picture.filters, *picture.encoding]
