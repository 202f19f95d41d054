"""Marks around the words of a cue that no model should translate: brackets, music notes, dashes, names of speakers."""

from __future__ import annotations

import re
from dataclasses import dataclass

_WRAPPED = re.compile(
    r"""
    (?P<tag><(?P<name>[A-Za-z]\w{0,8})(?:\s[^<>]{0,60})?>)(?P<tagged>.*)(?P<close></(?P=name)>)
    | (?P<open>[\[(（【])(?P<inside>[^\[\]()（）【】]*)(?P<shut>[\])）】])
    | (?P<note>[♪♫]+\s*|\#\s+)(?P<sung>[^♪♫\#]*?)(?P<end>\s*[♪♫]+|\s+\#)
    """,
    re.VERBOSE | re.DOTALL,
)
_NOTE_FIRST = re.compile(r"(?P<before>[♪♫]+\s*)(?P<text>.*)", re.DOTALL)
_DASH = re.compile(r"(?P<before>[-–—‐]\s?)(?=[^\s\d\-–—])(?P<text>.*)", re.DOTALL)
_LABEL = re.compile(r"(?P<before>(?P<name>[^\W\d_][\w .'’-]{0,40}):\s+)(?P<text>\S.*)", re.DOTALL)
_TAG = re.compile(r"</?[A-Za-z][^<>]{0,60}>|\{\\[^{}]{0,60}\}")
_SOUND = re.compile(r"\s*(?:[\[(（【][^\[\]()（）【】]*[\])）】]|[♪♫].*)\s*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Marked:
    """The words of a cue and the marks around them."""

    text: str
    before: str = ""
    after: str = ""

    def around(self, text: str) -> str:
        return f"{self.before}{text}{self.after}"


def unmarked(text: str, speakers: frozenset[str] = frozenset()) -> Marked:
    """Take the marks off. The text may be empty: then nothing is left to translate.

    A name before a colon is a label when it is one of `speakers` or in capitals, as in `ANNA: Hello`.
    """
    before, after = "", ""
    while True:
        step = _one_mark(text, speakers)
        if step is None:
            break
        before, after, text = before + step.before, step.after + after, step.text
    if not has_words(text):
        return Marked("", before + text, after)
    inside = text.strip()
    return Marked(inside, before + text[: text.index(inside)], text[text.index(inside) + len(inside) :] + after)


def _one_mark(text: str, speakers: frozenset[str]) -> Marked | None:
    if (found := _WRAPPED.fullmatch(text)) is not None:
        start, inside, end = next(
            (found[a], found[b], found[c])
            for a, b, c in (("tag", "tagged", "close"), ("open", "inside", "shut"), ("note", "sung", "end"))
            if found[a] is not None
        )
        if not inside.strip() or (found["tag"] and found["tag"] in inside):
            return None
        return Marked(inside, start, end)
    if (found := _NOTE_FIRST.fullmatch(text)) is not None and found["text"]:
        return Marked(found["text"], found["before"])
    if (found := _DASH.fullmatch(text)) is not None:
        return Marked(found["text"], found["before"])
    if (found := _LABEL.fullmatch(text)) is not None and _is_label(found["name"], speakers):
        return Marked(found["text"], found["before"])
    return None


def has_words(text: str) -> bool:
    """Whether a cue holds anything a model could translate."""
    return any(character.isalpha() for character in _TAG.sub("", text))


def tags_in(text: str) -> list[str]:
    """Formatting codes that somebody typed, such as `<i>` or `{\\an8}`."""
    return _TAG.findall(text)


def is_sound(text: str) -> bool:
    """Whether the cue shows music or a sound: `[applause]`, `♪ Happy birthday ♪`."""
    return _SOUND.fullmatch(text) is not None


def starts_turn(text: str, speakers: frozenset[str]) -> bool:
    """Whether the cue begins with a dash or a label: somebody else speaks."""
    found = _LABEL.fullmatch(text)
    return _DASH.fullmatch(text) is not None or (found is not None and _is_label(found["name"], speakers))


def is_dialogue(rows: list[str]) -> bool:
    """Whether two persons speak in one cue, each in rows that start with a dash."""
    return len(rows) > 1 and sum(_DASH.fullmatch(row) is not None for row in rows) > 1


def turns(rows: list[str]) -> list[str]:
    """The rows of a dialogue, with a row that does not start with a dash joined to the one before it."""
    spoken: list[str] = []
    for row in rows:
        if spoken and _DASH.fullmatch(row) is None:
            spoken[-1] = f"{spoken[-1]} {row}"
        else:
            spoken.append(row)
    return spoken


def _is_label(name: str, speakers: frozenset[str]) -> bool:
    return name.casefold() in speakers or (len(name) > 1 and name.isupper())
