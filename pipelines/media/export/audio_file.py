"""The sound of a file on its own."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

from cluster.wording.message import Message
from pipelines.media.export.clip import length_ms, open_at
from pipelines.media.export.file_output import file_output
from pipelines.media.export.sound_tracks import chosen_sounds, sound_arguments, sound_tags
from pipelines.media.ffmpeg import render
from pipelines.media.limits import LOSSLESS_BYTES_PER_S, render_limits
from pipelines.media.probe import MediaFacts
from pipelines.messages.attempt import StageFailed
from pipelines.messages.export_form import ExportForm, FileForm

STAGE = "export"
FAILURE = Message("pipelines.media.failure", "The sound of this file could not be written. Choose another file form.")
NO_SOUND = Message("pipelines.media.no_sound", "This file has no sound to export.")

ONE_TRACK = frozenset({FileForm.MP3, FileForm.WAV, FileForm.FLAC})


def write_sound(path: Path, facts: MediaFacts, target: Path, form: ExportForm) -> Generator[int, None, None]:
    """Write the chosen sound tracks; MP3, WAV and FLAC hold the first of them. Yields the milliseconds written."""
    tracks = chosen_sounds(facts, form.sounds)
    if not tracks:
        raise StageFailed(STAGE, NO_SOUND, retryable=False)
    if form.file in ONE_TRACK:
        del tracks[1:]
    length = length_ms(facts, form.clip)
    arguments = [*open_at(path, facts, form.clip), "-vn", "-sn", *sound_arguments(tracks, form.file)]
    output = file_output(target, form.file, tags=sound_tags(tracks), duration_ms=length if form.clip else None)
    # Sound without loss is larger than a compressed original.
    extra = LOSSLESS_BYTES_PER_S * max(track.channels for track in tracks) * length // 1000
    limits = render_limits(length, facts.size_bytes + extra // 4)
    yield from render(STAGE, [*arguments, *output], limits=limits, cwd=target.parent, failure=FAILURE)
