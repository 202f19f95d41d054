"""A text with times of a recording, independent of the format it is written in."""

from __future__ import annotations

from dataclasses import dataclass

from pipelines.captions.timestamps import clock
from pipelines.messages.minutes import BlockKind

NO_SPACES = frozenset({"zh", "ja", "yue"})
"""Languages in which nothing stands between two sentences."""
RIGHT_TO_LEFT = frozenset({"ar", "fa", "he", "ps", "ur", "yi", "sd"})


@dataclass(frozen=True, slots=True)
class DocumentSentence:
    """`times_ms` are moments of the recording that support it. `unsupported`: they were found not to."""

    text: str
    times_ms: tuple[int, ...] = ()
    unsupported: bool = False


@dataclass(frozen=True, slots=True)
class DocumentBlock:
    """A heading, paragraph or list item. Only an action has an `owner` and a `due` date."""

    kind: BlockKind
    sentences: tuple[DocumentSentence, ...]
    owner: str | None = None
    due: str | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """`language` is a code of the language lists. `colophon` holds sentences about how the text was made."""

    title: str
    language: str
    blocks: tuple[DocumentBlock, ...]
    colophon: tuple[str, ...] = ()

    @property
    def base_language(self) -> str:
        return self.language.partition("-")[0].lower()

    @property
    def joint(self) -> str:
        """What stands between two sentences."""
        return "" if self.base_language in NO_SPACES else " "

    @property
    def is_right_to_left(self) -> bool:
        return self.base_language in RIGHT_TO_LEFT


def times_of(sentence: DocumentSentence) -> str:
    """`[0:03] [12:04]`, each time once; empty without times."""
    return " ".join(f"[{time}]" for time in dict.fromkeys(clock(moment) for moment in sentence.times_ms))
