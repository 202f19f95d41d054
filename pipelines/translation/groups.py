"""Join cues into sentence groups, the units of translation.

Cues that share a sentence are translated together: half a sentence has no right translation in a language with another
word order. Each cue keeps its id, and `recut` puts the translation back into the cues.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pipelines.captions.lanes import by_lane
from pipelines.captions.texts.text import clean_text, join_words
from pipelines.messages.translate import SourceLine
from pipelines.translation.texts.markings import Marked, is_dialogue, is_sound, starts_turn, turns, unmarked
from pipelines.translation.texts.sentence_ends import ends_sentence, sentences

CUES_MAX = 3
PAUSE_MS = 1_500
PASSAGE_CHARS_MAX = 500
"""Translation models are trained on sentences, and drop parts of much longer texts."""


@dataclass(frozen=True, slots=True)
class Part:
    """One passage of a group. `new_row`: its translation begins on a row of its own."""

    marked: Marked
    new_row: bool = False


@dataclass(frozen=True, slots=True)
class SentenceGroup:
    """Cues that are translated together. Several of them share one part; one cue may have several.

    `cue_texts` are the words of each cue in one row; together they are the text of the part that they share.
    """

    index: int
    lines: tuple[SourceLine, ...]
    parts: tuple[Part, ...]
    cue_texts: tuple[str, ...]

    @property
    def source_ids(self) -> tuple[str, ...]:
        return tuple(line.id for line in self.lines)


def sentence_groups(lines: Sequence[SourceLine], wanted: Sequence[str] = ()) -> list[SentenceGroup]:
    """The groups of the wanted lines (every line without any) in order. A line that is not wanted ends a group.

    Lines of one group are of one lane.
    A group ends after final punctuation, before a pause over 1.5 s, where somebody else speaks, and after three cues.
    Sounds, music, dialogue of two persons in one cue and cues without words stand alone.
    """
    speakers = frozenset(line.speaker.casefold() for line in lines if line.speaker)
    ids = frozenset(wanted)
    runs = [run for lane in by_lane(lines) for run in _runs(lane, ids, speakers)]
    runs.sort(key=lambda run: run[0].start_ms)
    return [_group(index, run, speakers) for index, run in enumerate(runs)]


def one_row(text: str) -> str:
    """The text of a cue in one row, with single spaces."""
    return join_words(clean_text(text).split("\n")).replace("\n", " ").strip()


def _runs(lines: Sequence[SourceLine], ids: frozenset[str], speakers: frozenset[str]) -> Iterator[list[SourceLine]]:
    run: list[SourceLine] = []
    for line in lines:
        if ids and line.id not in ids:
            if run:
                yield run
            run = []
            continue
        if run and not _continues(run, line, speakers):
            yield run
            run = []
        run.append(line)
    if run:
        yield run


def _continues(run: list[SourceLine], line: SourceLine, speakers: frozenset[str]) -> bool:
    last, text, before = run[-1], one_row(line.text), one_row(run[-1].text)
    if len(run) >= CUES_MAX or line.start_ms - last.end_ms > PAUSE_MS or line.speaker != last.speaker:
        return False
    if _stands_alone(last) or _stands_alone(line) or starts_turn(text, speakers):
        return False
    if sum(len(one_row(each.text)) + 1 for each in run) + len(text) > PASSAGE_CHARS_MAX:
        return False
    return not ends_sentence(before, text)


def _stands_alone(line: SourceLine) -> bool:
    text = one_row(line.text)
    return not unmarked(text).text or is_sound(text) or is_dialogue(clean_text(line.text).split("\n"))


def _group(index: int, lines: list[SourceLine], speakers: frozenset[str]) -> SentenceGroup:
    texts = tuple(one_row(line.text) for line in lines)
    if len(lines) > 1:
        marked = unmarked(join_words(texts), speakers)
        return SentenceGroup(index, tuple(lines), (Part(marked),), _inside(texts, marked))
    rows = clean_text(lines[0].text).split("\n")
    if is_dialogue(rows):
        parts = tuple(Part(unmarked(turn, speakers), new_row=number > 0) for number, turn in enumerate(turns(rows)))
    else:
        parts = tuple(_portions(unmarked(texts[0], speakers)))
    return SentenceGroup(index, tuple(lines), parts, texts)


def _inside(texts: tuple[str, ...], marked: Marked) -> tuple[str, ...]:
    """The cue texts without the marks around the whole."""
    first = texts[0].removeprefix(marked.before)
    last = texts[-1].removesuffix(marked.after) if marked.after else texts[-1]
    return (first, *texts[1:-1], last)


def _portions(marked: Marked) -> Iterator[Part]:
    """The text of one cue as passages of at most `PASSAGE_CHARS_MAX` characters where sentences allow it."""
    if len(marked.text) <= PASSAGE_CHARS_MAX:
        yield Part(marked)
        return
    portions = [""]
    for sentence in sentences(marked.text):
        joined = join_words([portions[-1], sentence]) if portions[-1] else sentence
        if len(joined) <= PASSAGE_CHARS_MAX:
            portions[-1] = joined
        else:
            portions.append(sentence)
    for number, text in enumerate(filter(None, portions)):
        before = marked.before if number == 0 else ""
        yield Part(Marked(text, before, marked.after if number == len(portions) - 1 else ""))
