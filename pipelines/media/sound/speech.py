"""Finds the speech in a file and cuts it, at silences, into windows that a model can take."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from pipelines.media.sound.pcm import PcmFile
from pipelines.media.sound.voice import FRAME_MS, probabilities_of, voice_probabilities
from serve.tasks.transcription.messages import MAX_WINDOW_MS


@dataclass(frozen=True, slots=True)
class CutRules:
    """How windows are cut, in milliseconds.

    `begin` and `keep` are the probabilities at which a voice begins and continues, below the usual 0.5 and
    0.35, because a lost sentence is worse than a silence sent to the model.
    """

    begin: float = 0.45
    keep: float = 0.30
    silence_ms: int = 250
    """A shorter dip does not end a stretch of speech."""
    shortest_ms: int = 90
    """A shorter sound is a click, not speech."""
    margin_ms: int = 200
    """Added before and after each stretch, for soft first and last sounds."""
    join_ms: int = 3_000
    """Stretches further apart than this are never put in one window: models invent text in long silences."""
    first_ms: int = 15_000
    """The first window is shorter, so that the first lines appear soon."""
    longest_ms: int = MAX_WINDOW_MS


DEFAULT_CUT = CutRules()
_HYSTERESIS = 0.15
"""Below the threshold at which a voice begins, it continues: Silero's own difference."""
_NEVER = -1
_UNCUT = replace(DEFAULT_CUT, longest_ms=24 * 3_600_000)


@dataclass(frozen=True, slots=True)
class SpeechWindow:
    """A piece of the file to transcribe. `speech` holds its stretches of voice, with times in the file.

    `cut_in_speech`: it touches the window before or after it, without a whole pause between them.
    """

    index: int
    start_ms: int
    end_ms: int
    speech: tuple[tuple[int, int], ...]
    cut_in_speech: bool = False


def cut_by(threshold: float, silence_ms: int, padding_ms: int) -> CutRules:
    """Rules by which each stretch of speech is a window of its own."""
    return replace(
        DEFAULT_CUT,
        begin=threshold,
        keep=max(0.01, threshold - _HYSTERESIS),
        silence_ms=silence_ms,
        margin_ms=padding_ms,
        join_ms=_NEVER,
    )


def speech_windows(audio: PcmFile, rules: CutRules = DEFAULT_CUT) -> Iterator[SpeechWindow]:
    """The file's windows in order, found while reading; none for a file without a voice. Every call gives the same."""
    stretches = _stretches(voice_probabilities(audio), rules)
    window: list[tuple[int, int]] = []
    index = 0
    touches_last = False
    for start, end in _with_margins(stretches, rules.margin_ms, audio.duration_ms):
        if window:
            longest = rules.first_ms if index == 0 else rules.longest_ms
            if end - window[0][0] > longest or start - window[-1][1] > rules.join_ms:
                touches_next = start == window[-1][1]
                yield SpeechWindow(
                    index, window[0][0], window[-1][1], tuple(window), cut_in_speech=touches_last or touches_next
                )
                touches_last = touches_next
                index += 1
                window = []
        window.append((start, end))
    if window:
        yield SpeechWindow(index, window[0][0], window[-1][1], tuple(window), cut_in_speech=touches_last)


def speech_marks(voices: bytes) -> list[tuple[int, int]]:
    """Where somebody speaks, in milliseconds, without margins, for an eye. `voices` are those of `VoiceFinder`."""
    return list(_stretches(probabilities_of(voices), _UNCUT))


def _stretches(voices: Iterable[float], rules: CutRules) -> Iterator[tuple[int, int]]:
    """Stretches of voice; one too long for a window is cut where a voice is least likely."""
    most = (rules.longest_ms - 2 * rules.margin_ms) // FRAME_MS
    silence = -(-rules.silence_ms // FRAME_MS)
    shortest = -(-rules.shortest_ms // FRAME_MS)
    first: int | None = None
    probabilities: list[float] = []
    quiet = frame = 0
    for frame, voice in enumerate(voices):
        if first is None:
            if voice >= rules.begin:
                first, probabilities, quiet = frame, [voice], 0
            continue
        probabilities.append(voice)
        quiet = quiet + 1 if voice < rules.keep else 0
        if quiet >= silence:
            last = frame + 1 - quiet
            if last - first >= shortest:
                yield first * FRAME_MS, last * FRAME_MS
            first = None
        elif len(probabilities) >= most:
            late = len(probabilities) * 2 // 3
            cut = late + min(range(len(probabilities) - late), key=lambda index: probabilities[late + index])
            yield first * FRAME_MS, (first + cut) * FRAME_MS
            first, probabilities = first + cut, probabilities[cut:]
    if first is not None and frame + 1 - quiet - first >= shortest:
        yield first * FRAME_MS, (frame + 1 - quiet) * FRAME_MS


def _with_margins(stretches: Iterable[tuple[int, int]], margin: int, duration: int) -> Iterator[tuple[int, int]]:
    """The stretches extended on both sides, at most to the middle of the silence between two."""
    waiting: tuple[int, int] | None = None
    for start, end in stretches:
        if waiting is None:
            waiting = (max(0, start - margin), end)
            continue
        middle = (waiting[1] + start) // 2
        yield waiting[0], min(waiting[1] + margin, middle)
        waiting = (max(start - margin, middle), end)
    if waiting is not None:
        yield waiting[0], min(waiting[1] + margin, duration)
