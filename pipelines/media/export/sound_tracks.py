"""The sound of an export: every chosen track with its language, copied where the file form can hold it."""

from __future__ import annotations

from collections.abc import Sequence

from pipelines.languages import iso_639_2
from pipelines.media.ffmpeg import mono_mix
from pipelines.media.probe import AudioFacts, MediaFacts
from pipelines.messages.export_form import FileForm

_COPIED: dict[FileForm, frozenset[str]] = {
    FileForm.MP4: frozenset({"aac", "mp3", "ac3", "eac3", "alac", "opus"}),
    FileForm.MKV: frozenset({"aac", "mp3", "ac3", "eac3", "alac", "opus", "vorbis", "flac", "dts", "truehd"}),
    FileForm.WEBM: frozenset({"opus", "vorbis"}),
    FileForm.M4A: frozenset({"aac", "alac"}),
    FileForm.MP3: frozenset({"mp3"}),
    FileForm.FLAC: frozenset({"flac"}),
    FileForm.WAV: frozenset(),
}
_ENCODER = {
    FileForm.MP4: "aac",
    FileForm.MKV: "aac",
    FileForm.WEBM: "libopus",
    FileForm.M4A: "aac",
    FileForm.MP3: "libmp3lame",
    FileForm.FLAC: "flac",
    FileForm.WAV: "pcm_s16le",
}
_LOSSLESS = frozenset({"flac", "pcm_s16le"})
_LEAST_MP3_RATE = 16_000
"""Slower MP3, as telephones record it, does not fit into an MP4."""
_CHANNELS_MAX = {FileForm.MP3: 2}
_MONO_KBIT, _STEREO_KBIT, _CHANNEL_KBIT = 96, 160, 64


def chosen_sounds(facts: MediaFacts, indexes: Sequence[int] | None) -> list[AudioFacts]:
    """The tracks with these stream indexes, or all. The one that people hear by default comes first."""
    every = facts.sounds or ((facts.audio,) if facts.audio is not None else ())
    wanted = [track for track in every if indexes is None or track.index in indexes]
    first = [track for track in wanted if facts.audio is not None and track.index == facts.audio.index]
    return [*first, *(track for track in wanted if track not in first)]


def is_copied(track: AudioFacts, form: FileForm) -> bool:
    too_slow = track.codec == "mp3" and track.rate < _LEAST_MP3_RATE and form is FileForm.MP4
    return track.codec in _COPIED[form] and not too_slow


def sound_arguments(tracks: Sequence[AudioFacts], form: FileForm, *, stream: int = 0, kept: bool = False) -> list[str]:
    """The arguments that map the tracks of input `stream` and code them, with language tags and the first as default.

    `kept`: the input is a file of ours whose tracks are in order and coded already.
    """
    arguments: list[str] = []
    for number, track in enumerate(tracks):
        mapped = f"{stream}:a:{number}" if kept else f"{stream}:{track.index}"
        arguments += ["-map", mapped, *(["-c:a:" + str(number), "copy"] if kept else _coding(track, form, number))]
    return arguments


def sound_tags(tracks: Sequence[AudioFacts]) -> list[str]:
    """Languages and defaults; they belong after the arguments that drop the original's metadata."""
    tags: list[str] = []
    for number, track in enumerate(tracks):
        tags += [f"-metadata:s:a:{number}", f"language={_language(track)}"]
        tags += [f"-disposition:a:{number}", "default" if number == 0 else "0"]
    return tags


def _language(track: AudioFacts) -> str:
    """The three letters that media tracks carry; originals may have two."""
    code = (track.language or "und").split("-")[0].lower()
    return code if len(code) == 3 else iso_639_2(code)


def _coding(track: AudioFacts, form: FileForm, number: int) -> list[str]:
    if is_copied(track, form):
        return [f"-c:a:{number}", "copy"]
    encoder = _ENCODER[form]
    mix = mono_mix(track.channels)
    channels = 1 if mix else min(track.channels, _CHANNELS_MAX.get(form, track.channels))
    arguments = [f"-c:a:{number}", encoder, f"-ac:a:{number}", str(max(1, channels))]
    if mix:
        arguments += [f"-filter:a:{number}", mix.rstrip(",")]
    elif encoder == "libopus" and channels > 2:
        # The encoder knows only the layouts of the Vorbis order.
        arguments += [f"-filter:a:{number}", f"aformat=channel_layouts={_OPUS_LAYOUTS.get(channels, 'stereo')}"]
    if encoder not in _LOSSLESS:
        kbit = _MONO_KBIT if channels == 1 else _STEREO_KBIT if channels == 2 else _CHANNEL_KBIT * channels
        arguments += [f"-b:a:{number}", f"{kbit}k"]
    return arguments


_OPUS_LAYOUTS = {3: "3.0", 4: "quad", 5: "5.0", 6: "5.1", 7: "6.1", 8: "7.1"}
