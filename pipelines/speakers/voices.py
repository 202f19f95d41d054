"""How each speaker of a file sounds, and which known voice that is."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipelines.messages.speakers import SpeakerVoice
from serve.tasks.diarization.messages import VoiceWindow

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Voice = NDArray[np.float32]

LIKENESS = 0.6
"""Cosine from which a voice is a known one: above the 0.5 by which one file is grouped, because a wrong name is worse
than none."""
MARGIN = 0.1
"""By which the second most alike known voice must stay behind."""
ENOUGH_MS = 3_000
"""A voice with less speech of its own is no one's."""


@dataclass(frozen=True, slots=True)
class KnownVoice:
    """A voice under the name that a person gave it."""

    name: str
    embedding: bytes
    spoken_ms: int


@dataclass(frozen=True, slots=True)
class Likeness:
    """The known voice that a speaker sounds like. `similarity` is a cosine, at most 1."""

    name: str
    similarity: float


def voices_of(
    windows: Sequence[VoiceWindow],
    people: Sequence[Sequence[int]],
    persons: Mapping[str, int],
    *,
    model: str,
) -> tuple[SpeakerVoice, ...]:
    """The mean of each speaker's embeddings, weighted by the time in which nobody else speaks.

    `people` is the person of each voice, `persons` whom each label stands for.
    """
    import numpy as np

    from pipelines.speakers.clusters import unit

    labels = {person: label for label, person in persons.items()}
    sums: dict[str, Voice] = {}
    spoken_ms: dict[str, int] = {}
    for window, owners in zip(windows, people, strict=True):
        for voice, person in zip(window.voices, owners, strict=True):
            label = labels.get(person)
            if label is None or voice.embedding is None or voice.alone_ms <= 0:
                continue
            own = np.frombuffer(voice.embedding, "<f4") * np.float32(voice.alone_ms)
            sums[label] = sums[label] + own if label in sums else own
            spoken_ms[label] = spoken_ms.get(label, 0) + voice.alone_ms
    return tuple(
        SpeakerVoice(
            speaker=label,
            model=model,
            embedding=base64.b64encode(unit(total[None])[0].astype("<f2").tobytes()).decode("ascii"),
            # Windows overlap: each moment is in two of them.
            spoken_ms=spoken_ms[label] // 2,
        )
        for label, total in sums.items()
    )


def known_voices(
    voices: Mapping[str, tuple[bytes, int]],
    known: Sequence[KnownVoice],
    *,
    likeness: float = LIKENESS,
    margin: float = MARGIN,
    enough_ms: int = ENOUGH_MS,
) -> dict[str, Likeness]:
    """Who of the known the speakers of one file sound like, by label; each name once, the most alike first.

    `voices` has the embedding of each label, 16-bit floats of a unit vector, and its milliseconds of speech.
    All are of one model: others do not compare.
    """
    import numpy as np

    from pipelines.speakers.clusters import unit

    judged = [label for label, (_, spoken_ms) in voices.items() if spoken_ms >= enough_ms]
    names = list(dict.fromkeys(each.name for each in known))
    if not judged or not names:
        return {}
    place = {name: index for index, name in enumerate(names)}
    sums = np.zeros((len(names), len(known[0].embedding) // 2), np.float32)
    for each in known:
        sums[place[each.name]] += np.frombuffer(each.embedding, "<f2").astype(np.float32) * each.spoken_ms
    rows = np.stack([np.frombuffer(voices[label][0], "<f2").astype(np.float32) for label in judged])
    scores = unit(rows) @ unit(sums).T
    found: dict[str, Likeness] = {}
    taken: set[int] = set()
    for row in np.argsort(-scores.max(axis=1)):
        order = np.argsort(-scores[row])
        best = int(order[0])
        second = float(scores[row, order[1]]) if len(order) > 1 else -1.0
        similarity = float(scores[row, best])
        if best not in taken and similarity >= likeness and similarity - second >= margin:
            taken.add(best)
            found[judged[row]] = Likeness(names[best], similarity)
    return found


def sounds_like(voices: Sequence[bytes], known: Sequence[tuple[bytes, int]]) -> list[bool]:
    """Whether each of the voices may be that of the known embeddings, each with its milliseconds of speech."""
    import numpy as np

    from pipelines.speakers.clusters import unit

    if not voices:
        return []
    total = sum(np.frombuffer(voice, "<f2").astype(np.float32) * spoken_ms for voice, spoken_ms in known)
    rows = np.stack([np.frombuffer(voice, "<f2").astype(np.float32) for voice in voices])
    return [bool(similarity >= LIKENESS) for similarity in unit(rows) @ unit(np.asarray(total)[None])[0]]
