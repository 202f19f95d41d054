"""Short conversations of two people, each with sentences in an order that no other file has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, permutations

from serve.testing.speech import SpokenClip
from serve.testing.tiny_models.phrases import translation_of

VOICES = ("rms", "slt")
"""The tiny speaker models tell these apart."""
LANGUAGES = ("is", "es")
LENGTHS = (3, 4)


@dataclass(frozen=True, slots=True)
class Talk:
    """A file, what is said in it, and the language to translate it into."""

    name: str
    clips: tuple[SpokenClip, ...]
    language: str

    @property
    def texts(self) -> list[str]:
        return [clip.text for clip in self.clips]

    @property
    def speakers(self) -> list[str]:
        """Who speaks each sentence, by canonical label."""
        voices = [_voice(clip) for clip in self.clips]
        order = list(dict.fromkeys(voices))
        return [f"S{order.index(voice) + 1}" for voice in voices]

    @property
    def translations(self) -> list[str]:
        return [translation_of(text, "en", self.language) for text in self.texts]


def talks(clips: Sequence[SpokenClip], files: int, users: int, prefix: str = "") -> list[Talk]:
    """That many files, the next user's after each other's. Raises ValueError when there are too few sentences."""
    said = {(_voice(clip), clip.text): clip for clip in clips if clip.lang == "en" and _voice(clip) in VOICES}
    known = [text for text in dict.fromkeys(text for _, text in said) if all((each, text) in said for each in VOICES)]
    orders = list(chain.from_iterable(permutations(known, length) for length in LENGTHS))
    if files > len(orders):
        raise ValueError(f"{len(orders)} different files can be made.")
    return [
        Talk(
            f"{prefix}user-{number % users}-file-{number // users}",
            tuple(said[VOICES[(number + at) % len(VOICES)], text] for at, text in enumerate(order)),
            LANGUAGES[number % len(LANGUAGES)],
        )
        for number, order in enumerate(orders[:files])
    ]


def _voice(clip: SpokenClip) -> str:
    return clip.id.rpartition("-")[2]
