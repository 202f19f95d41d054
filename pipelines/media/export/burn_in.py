"""A video with its captions drawn into the picture, written in one pass."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from pathlib import Path

from cluster.wording.message import Message
from pipelines.captions.fonts.font_files import FONTS_DIR
from pipelines.captions.picture.ass_document import write_ass
from pipelines.media.colour import SDR_TAGS, tone_mapping
from pipelines.media.export.canvas import canvas
from pipelines.media.export.card import card_graph, card_size, card_style, make_cover
from pipelines.media.export.clip import length_ms, lines_within, open_at
from pipelines.media.export.encoders import Encoder, video_encoding
from pipelines.media.export.file_output import file_output
from pipelines.media.export.sound_tracks import chosen_sounds, sound_arguments, sound_tags
from pipelines.media.export.timecode import timecode_tags
from pipelines.media.ffmpeg import render
from pipelines.media.limits import MAX_OUTPUT_FPS, render_limits
from pipelines.media.playback import whole_frames
from pipelines.media.probe import MediaFacts, VideoFacts
from pipelines.messages.caption_style import DEFAULT_STYLE, CaptionStyle
from pipelines.messages.export_form import ExportForm, FileForm, PictureForm
from pipelines.messages.lines import CaptionLine

STAGE = "export"
FAILURE = Message(
    "pipelines.media.burn_in_failure",
    "The captions could not be drawn into this file. Try the export with a subtitle track instead.",
)

# Fixed names, relative to the work folder: no text of a user ever enters a filter graph.
SCRIPT = "captions.ass"
_FONTS = "fonts"
_DRAW = f"ass={SCRIPT}:fontsdir={_FONTS}"

_FPS_SLACK = 0.5
"""59.94 and 60 frames a second are the same limit."""


@dataclass(frozen=True, slots=True)
class DrawnPicture:
    """How the picture is made from the original's: its size, the whole filter graph and the encoder's arguments."""

    width: int
    height: int
    filters: str
    encoding: tuple[str, ...]


def drawn_picture(
    video: VideoFacts, form: PictureForm, encoder: Encoder, *, with_captions: bool = True
) -> DrawnPicture:
    """The picture upright, in square pixels and standard colours.

    Raises `StageFailed` for HDR where ffmpeg cannot convert it.
    """
    sized = canvas(video.width, video.height, form)
    filters = f"{whole_frames(video)}{_frames_kept(video)}{sized.filters}{tone_mapping(video.transfer)}"
    if with_captions:
        filters += f",{_DRAW}"
    numerator, denominator = video.time_base
    encoding = (
        *video_encoding(encoder, form.quality, sized.width, sized.height),
        # Frames keep their own times: a rate that varies stays so.
        *("-fps_mode", "passthrough", "-enc_time_base", f"{numerator}/{denominator}"),
        *(SDR_TAGS if tone_mapping(video.transfer) else ()),
    )
    return DrawnPicture(sized.width, sized.height, filters, encoding)


def is_thinned(video: VideoFacts) -> bool:
    """Whether frames are left out because there are more than a screen shows."""
    return video.most_fps > MAX_OUTPUT_FPS + _FPS_SLACK


def burn_in(
    path: Path,
    facts: MediaFacts,
    lines: Sequence[CaptionLine],
    target: Path,
    form: ExportForm,
    style: CaptionStyle = DEFAULT_STYLE,
    encoder: Encoder = Encoder.X264,
) -> Generator[int, None, None]:
    """Write the file with `lines` drawn in; a file without video gets a card with its cover for them.

    Yields the milliseconds written.
    """
    work = target.parent
    length = length_ms(facts, form.clip)
    arguments = open_at(path, facts, form.clip)
    tracks = chosen_sounds(facts, form.sounds)
    if facts.video is None:
        width, height = card_size(form.picture.aspect)
        cover = make_cover(path, facts, work)
        style = card_style(style, has_cover=bool(cover))
        graph = card_graph((width, height), length, _DRAW, has_cover=bool(cover))
        arguments += [*cover, "-filter_complex", graph, "-map", "[drawn]"]
        arguments += video_encoding(Encoder.X264, form.picture.quality, width, height)
    else:
        picture = drawn_picture(facts.video, form.picture, encoder)
        width, height = picture.width, picture.height
        arguments += ["-map", f"0:{facts.video.index}", "-vf", picture.filters, *picture.encoding]
    arguments += sound_arguments(tracks, form.file)
    if tracks and (form.clip is not None or form.file is FileForm.MKV):
        # Copied sound would begin at the picture's keyframe, in an MKV with seconds that have no picture.
        arguments += ["-copypriorss:a", "0"]
    if facts.video is None and tracks:
        # A header may state four hours where one second of sound follows: do not render the rest.
        arguments.append("-shortest")
    write_script(work, write_ass(lines_within(lines, facts, form.clip), style, width, height))
    tags = [*sound_tags(tracks), *timecode_tags(facts.video, form.file, form.clip)]
    output = file_output(target, form.file, tags=tags, duration_ms=length if form.clip else None)
    limits = render_limits(length, facts.size_bytes)
    yield from render(STAGE, [*arguments, *output], limits=limits, cwd=work, failure=FAILURE)


def write_script(work: Path, script: str) -> None:
    """Put the captions and the fonts where the filter graph looks for them."""
    (work / _FONTS).unlink(missing_ok=True)
    (work / _FONTS).symlink_to(FONTS_DIR, target_is_directory=True)
    (work / SCRIPT).write_text(script, encoding="utf-8")


def _frames_kept(video: VideoFacts) -> str:
    """The filter, with its comma, that drops frames without a time of their own, and those nobody would see."""
    if is_thinned(video):
        return f"select='isnan(prev_selected_t)+gte(t-prev_selected_t,{1 / (MAX_OUTPUT_FPS + _FPS_SLACK):.5f})',"
    return "select='isnan(prev_selected_pts)+gt(pts,prev_selected_pts)',"
