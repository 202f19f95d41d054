"""Subtitle files from a number: captions in any form, whole or broken in one of many ways."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace

from benchmarks.soak.captions.foreign import LANGUAGES, Said, foreign
from pipelines.captions.forms.form import CaptionFormat, Document, Kept
from pipelines.captions.forms.registry import FORM_OF, write
from pipelines.captions.texts.speaker_names import SpeakerStyle
from pipelines.captions.texts.styled_text import Run, ink_of, words_of_ink
from pipelines.captions.texts.text import clean_text
from pipelines.messages.lines import CaptionLine, Lane, LinePlace, WordStyle

READABLE = [form for form in CaptionFormat if FORM_OF[form].read is not None and form is not CaptionFormat.SCC]
"""What we write and read again. SCC has the letters of western Europe alone; others write it in `foreign.py`."""
NAMES = {"S1": "Ada", "S2": "Bob & <Eve>", "S3": "Þórður, jr."}
WORDS = [
    *("the", "harbour", "is", "closed", "today,", "Þetta", "æðislegt!", "ölduna", "naïve", "—", "42", "1", "so?"),
    *("<i>", "</i>", "<b", "{\\an8}", "{\\i1}", "{x}", "\\N", "a<b", "&amp;", "&#39;", "-->", "->", "00:00:01,000"),
    *(
        "0:00:01.000,0:00:02.000",
        "WEBVTT",
        "NOTE",
        "[Events]",
        "Dialogue:",
        "]]>",
        "<!--",
        "=1+1",
        '"',
        "9420",
        "Scenarist",
    ),
    *("今日は", "いい天気", "สวัสดี", "مرحبا", "שלום", "Привет", "👩‍👩‍👧", "😀", "e\u0301t", "\u00a0", "\u200f"),
]
_SCRAPS = [
    *(b"\0", b"\xff", b"\xfe\xff", b"\xc3", b"\r", b"\r\n\r\n", b"\n\n", b"-->", b"<", b">", b"{", b"}", b"{\\", b"&#"),
    *(
        b"<i>",
        b"</v>",
        b"<v ",
        b"&#x110000;",
        b"99:99:99,999",
        b"-1",
        b",",
        b":",
        b"\x1a",
        b"\xe2\x81\xa0",
        b"9420 942c",
    ),
    *(b"<p begin='1s'>", b"</span>", b"<br/>", b"]]>", b'"', b"[1]", b"null", b"1e999", b"\t", b"\x8f\x8f", b"STYLE\n"),
]


LARGE_EVERY = 10_007
"""Every so many files one has up to `LARGE_LINES` lines. A prime, so that every form has some."""
LARGE_LINES = 10_000
FOREIGN_EVERY = 5


@dataclass(frozen=True, slots=True)
class Made:
    """A file and its form. `lines` is what it holds where we wrote it, `said` where another program did.

    Both are None for a broken file. `number` and `language` are those of the file.
    """

    number: int
    form: str
    raw: bytes
    lines: tuple[CaptionLine, ...] | None = None
    said: tuple[Said, ...] | None = None
    language: str = "is-IS"

    @property
    def is_whole(self) -> bool:
        return self.lines is not None or self.said is not None


def made(seed: int, number: int) -> Made:
    """File `number` of a campaign. Every third one is whole; every fifth is as another program writes it."""
    chance = random.Random(f"{seed}/{number}")
    whole = number // len(READABLE) % 3 == 0
    if number % FOREIGN_EVERY == 0:
        file = foreign(chance)
        if whole:
            return Made(number, file.name, file.raw, said=tuple(file.said), language=file.language)
        return Made(number, file.name, _broken(file.raw, chance), language=file.language)
    form = READABLE[number % len(READABLE)]
    is_large = number % LARGE_EVERY == LARGE_EVERY - 1
    lines = tuple(captions(chance, form, chance.randint(1_000, LARGE_LINES) if is_large else None))
    speakers = chance.choice(list(SpeakerStyle)) if FORM_OF[form].keeps else SpeakerStyle.NONE
    if whole and speakers is not SpeakerStyle.LABELS:
        speakers = SpeakerStyle.NONE
    if whole and form in (CaptionFormat.SRT, CaptionFormat.SBV, CaptionFormat.STL):
        # These write names into the text.
        speakers = SpeakerStyle.NONE
    raw = write(form, Document(lines, "is-IS", NAMES, speakers, "Title", chance.choice([24.0, 25.0, 30.0])))
    if whole:
        return Made(number, form, raw, lines)
    return Made(number, form, _broken(raw, chance), language=chance.choice(LANGUAGES))


def _broken(raw: bytes, chance: random.Random) -> bytes:
    for _ in range(chance.choice([1, 1, 2, 5])):
        raw = chance.choice(_DAMAGE)(raw, chance)
    return raw


def captions(
    chance: random.Random, form: CaptionFormat = CaptionFormat.TTML, count: int | None = None
) -> list[CaptionLine]:
    """`count` lines, by default a few."""
    lines: list[CaptionLine] = []
    free = dict.fromkeys(Lane, 0)
    now = chance.randint(0, 5_000) if chance.random() < 0.9 else chance.randint(0, 80 * 3_600_000)
    for number in range(chance.choice([0, 1, 2, 3, 5, 8, 20]) if count is None else count):
        text = clean_text(_text(chance)) or "word"
        if form is CaptionFormat.STL:
            text = clean_text(text.encode("ascii", "ignore").decode()) or "word"
        place = chance.choice([None, None, None, LinePlace(8), LinePlace(1), LinePlace(5, 0.25, 0.5)])
        lane = Lane.BOTTOM if place is None else place.lane
        if lines and Kept.PLACE in FORM_OF[form].keeps and chance.random() < 0.2:
            # On screen together with what stands elsewhere.
            now = max(free[lane], lines[-1].start_ms + chance.choice([0, 40, 900]))
        end = now + chance.randint(200, 4_000)
        free[lane] = end + 100
        line = CaptionLine(str(number), now, end, text, speaker=chance.choice([None, *NAMES]), place=place)
        if chance.random() < 0.4:
            styles = frozenset(chance.sample(list(WordStyle), chance.randint(1, 3)))
            cut = chance.randint(0, len(text))
            line = replace(line, words=words_of_ink(line, ink_of([Run(text[:cut]), Run(text[cut:], styles)])))
        lines.append(line)
        now = end + chance.choice([100, 100, 500, 3_000])
    return lines


def _text(chance: random.Random) -> str:
    count = 100 if chance.random() < 0.01 else chance.choice([1, 3, 6, 12])
    words = [chance.choice(WORDS) for _ in range(count)]
    return "".join(word + chance.choice([" ", " ", " ", "\n", ""]) for word in words)


def _place(raw: bytes, chance: random.Random) -> int:
    return chance.randint(0, len(raw))


def cut(raw: bytes, chance: random.Random) -> bytes:
    return raw[: _place(raw, chance)]


def flip(raw: bytes, chance: random.Random) -> bytes:
    broken = bytearray(raw)
    for _ in range(min(len(raw), chance.choice([1, 3, 20]))):
        broken[chance.randrange(len(raw))] ^= 1 << chance.randrange(8)
    return bytes(broken)


def insert(raw: bytes, chance: random.Random) -> bytes:
    at = _place(raw, chance)
    return raw[:at] + chance.choice(_SCRAPS) * chance.choice([1, 1, 2, 50]) + raw[at:]


def remove(raw: bytes, chance: random.Random) -> bytes:
    at = _place(raw, chance)
    return raw[:at] + raw[at + chance.choice([1, 4, 40]) :]


def repeat(raw: bytes, chance: random.Random) -> bytes:
    start, end = sorted((_place(raw, chance), _place(raw, chance)))
    return raw[:end] + raw[start:end] * chance.choice([1, 2, 10]) + raw[end:]


def shuffle(raw: bytes, chance: random.Random) -> bytes:
    rows = raw.split(b"\n")
    chance.shuffle(rows)
    return b"\n".join(rows)


def encode(raw: bytes, chance: random.Random) -> bytes:
    codec = chance.choice(["utf-16", "utf-16-le", "utf-32", "cp1252", "cp1251", "shift_jis", "big5"])
    return raw.decode("utf-8", "replace").encode(codec, "replace")


_DAMAGE: list[Callable[[bytes, random.Random], bytes]] = [cut, flip, insert, remove, repeat, shuffle, encode]
