"""Turns decodings of windows into segments of words with times and doubts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from serve.tasks.transcription.guard import Decoding, doubts_of_words
from serve.tasks.transcription.messages import AudioWindow, Segment
from serve.tasks.transcription.whisper import timestamps
from serve.tasks.transcription.whisper.timestamps import Stretch
from serve.tasks.transcription.whisper.tokens import WITHOUT_SPACES, Tokenizer
from serve.tasks.transcription.whisper.word_times import AlignedWord, words_by_stretch

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def stretches_of(decoding: Decoding, tokenizer: Tokenizer) -> list[Stretch]:
    """Text between two timestamps, in order; none where the model found silence more likely."""
    if decoding.is_silence:
        return []
    return timestamps.split(
        decoding.tokens,
        timestamp_begin=tokenizer.timestamp_begin,
        end_of_text=tokenizer.eot,
        duration_ms=decoding.duration_ms,
    )


def segments_of(
    window: AudioWindow,
    decoding: Decoding,
    stretches: Sequence[Stretch],
    aligned: Sequence[AlignedWord],
    *,
    levels: NDArray[np.float32],
    tokenizer: Tokenizer,
) -> tuple[Segment, ...]:
    """One segment for each stretch with text. `levels` are the window's `frame_levels`; `aligned` may be empty."""
    language = tokenizer.language_code
    words = words_by_stretch(
        aligned,
        [len(stretch.tokens) for stretch in stretches],
        levels=levels,
        duration_ms=window.duration_ms,
        start_ms=window.start_ms,
        spaces=language not in WITHOUT_SPACES,
    )
    segments = []
    for stretch, spoken in zip(stretches, words, strict=True):
        text = tokenizer.decode(list(stretch.tokens)).strip()
        if not text:
            continue
        found = [*decoding.doubts(), *doubts_of_words(spoken, levels=levels, start_ms=window.start_ms)]
        segments.append(
            Segment(
                start_ms=spoken[0].start_ms if spoken else window.start_ms + stretch.start_ms,
                end_ms=spoken[-1].end_ms if spoken else window.start_ms + stretch.end_ms,
                text=text,
                words=spoken,
                language=language,
                doubts=tuple(dict.fromkeys(found)),
            )
        )
    return tuple(segments)
