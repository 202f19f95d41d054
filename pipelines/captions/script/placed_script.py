"""A script at the times of what was heard, or the sentence why it cannot be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from cluster.wording.message import Message, Wording
from pipelines.captions.reading.cues import UnreadableSubtitles
from pipelines.captions.script.matching import match
from pipelines.captions.script.script import Script
from pipelines.messages.lines import CaptionLine, CaptionWord

LEAST_SAME = 0.2
"""Two texts about different things share fewer of their words than this in the same order."""
ANOTHER_SCRIPT = Wording(
    "pipelines.captions.another_script",
    "This text is not what is spoken here: {same:,} of its {words:,} words were heard. Check that both belong "
    "together.",
)
NOT_SPOKEN = Wording("pipelines.captions.not_spoken", "Not spoken, so left out: “{passage}”.")
MORE_NOT_SPOKEN = Wording("pipelines.captions.more_not_spoken", "Other passages that are not spoken: {count:,}.")
NOTES_MAX = 5
PASSAGE_MAX = 120
"""Characters of a passage that a note shows."""
NOTHING_HEARD = Message(
    "pipelines.captions.nothing_heard",
    "No caption times were found in this file, and these captions have no words that were heard. Import a subtitle "
    "file here, or the text into captions that were transcribed.",
)
NO_WORDS = Message("pipelines.captions.no_script_words", "This text holds no words.")


@dataclass(frozen=True, slots=True)
class PlacedScript:
    """`words` are those that have a place, by their index in the script; `notes` name the passages that have none."""

    words: dict[int, CaptionWord]
    notes: tuple[str, ...]


def heard_in(lines: Iterable[CaptionLine]) -> list[CaptionWord]:
    """The words of captions, with who speaks them. Raises `UnreadableSubtitles` where no time was ever measured."""
    words = [replace(word, speaker=word.speaker or line.speaker) for line in lines for word in line.words]
    if not any(word.is_measured for word in words):
        raise UnreadableSubtitles(NOTHING_HEARD)
    return words


def place(script: Script, heard: Sequence[CaptionWord]) -> PlacedScript:
    """Raises `UnreadableSubtitles` for a text without words, and for one of which hardly a word was heard."""
    if not script.words:
        raise UnreadableSubtitles(NO_WORDS)
    matched = match(script.words, heard)
    if matched.same < LEAST_SAME * min(len(script.words), max(1, len(heard))):
        raise UnreadableSubtitles(ANOTHER_SCRIPT(same=matched.same, words=len(script.words)))
    return PlacedScript(matched.words, tuple(_notes(matched.unspoken)))


def _notes(passages: Sequence[str]) -> Iterator[str]:
    for passage in passages[:NOTES_MAX]:
        shown = passage if len(passage) <= PASSAGE_MAX else f"{passage[: PASSAGE_MAX - 1].rstrip()}…"
        yield NOT_SPOKEN(passage=shown)
    if len(passages) > NOTES_MAX:
        yield MORE_NOT_SPOKEN(count=len(passages) - NOTES_MAX)
