"""Damaged TTML and SCC: what a second, lenient reader finds in a file is in its captions, or a note or refusal says so.

python -m benchmarks.soak.captions.mutants SEED FIRST COUNT
"""

from __future__ import annotations

import json
import random
import re
import sys
import time
from collections import Counter
from html.parser import HTMLParser
from typing import Any

from benchmarks.soak.captions.foreign import foreign
from benchmarks.soak.captions.generate import NAMES, captions, cut, flip, insert, remove, repeat, shuffle
from pipelines.captions.forms.form import CaptionFormat, Document
from pipelines.captions.forms.registry import write
from pipelines.captions.imports.subtitles import parse_subtitles
from pipelines.captions.reading.cues import UnreadableSubtitles

_UNSEEN = frozenset({"head", "metadata", "title", "desc", "copyright", "agent", "name", "actor"})
_SCC_ROW = re.compile(r"^\s*\d{1,3}:\d{1,2}:\d{1,2}[:;.,]\d{1,3}\s(.*)$", re.MULTILINE)
_ENTITIES = (b"&eacute;", b"&nbsp;", b"&", b" & ", b"&hellip;", b"&#0;", b"&what;", b"<", b"&apos;s", b"AT&T")


def run(seed: int, first: int, count: int) -> dict[str, Any]:
    """Counts of what became of the files, those that lost letters in silence, and the slowest file."""
    seen: Counter[str] = Counter()
    defects: dict[int, str] = {}
    slowest, slowest_number = 0.0, first
    for number in range(first, first + count):
        form, raw = mutant(seed, number)
        began = time.process_time()
        try:
            found = parse_subtitles(raw, "en-GB")
        except UnreadableSubtitles:
            seen[f"{form} mutants, refused"] += 1
        except Exception as error:
            defects[number] = f"{form}: crash: {error!r}"
        else:
            seen[f"{form} mutants, {'with a note' if found.notes else 'without a note'}"] += 1
            meant, got = letters_of(form, raw), _ink("".join(line.text for line in found.lines))
            if got < meant and not found.notes:
                defects[number] = f"{form}: {meant - got} of {meant} letters lost in silence"
        took = time.process_time() - began
        if took > slowest:
            slowest, slowest_number = took, number
    return {"seen": dict(seen), "defects": defects, "slowest_s": slowest, "slowest": slowest_number}


def mutant(seed: int, number: int) -> tuple[str, bytes]:
    """The form and the bytes of one file: TTML of ours and of others, and SCC, each damaged once or twice."""
    chance = random.Random(f"mutant/{seed}/{number}")
    form = "scc" if number % 2 else "ttml"
    if number % 4 == 2:
        raw = write(CaptionFormat.TTML, Document(tuple(captions(chance)), "en-GB", NAMES, title="Title"))
    else:
        raw = foreign(chance, form).raw
    for _ in range(chance.choice([1, 1, 1, 2])):
        damage = chance.choice([_bit, _bit, _bit, flip, cut, insert, remove, repeat, shuffle, _entity])
        raw = damage(raw, chance)
    return form, raw


def _bit(raw: bytes, chance: random.Random) -> bytes:
    if not raw:
        return raw
    broken = bytearray(raw)
    broken[chance.randrange(len(raw))] ^= 1 << chance.randrange(7)
    return bytes(broken)


def _entity(raw: bytes, chance: random.Random) -> bytes:
    at = chance.randint(0, len(raw))
    return raw[:at] + chance.choice(_ENTITIES) + raw[at:]


def letters_of(form: str, raw: bytes) -> int:
    """Letters in a file by a reader that knows no captions: html.parser, or bytes after times."""
    text = raw.decode("utf-8", "replace")
    if form == "ttml":
        reader = _Text()
        reader.feed(text)
        reader.close()
        return _ink("".join(reader.texts))
    count = 0
    for row in _SCC_ROW.findall(text):
        for token in re.findall(r"\b(?:[0-9a-fA-F]{4})+\b", row):
            codes = [code & 0x7F for code in bytes.fromhex(token)]
            pairs = zip(codes[::2], codes[1::2], strict=True)
            count += sum((first > 0x20) + (second > 0x20) for first, second in pairs if not 0x10 <= first < 0x20)
    return count


class _Text(HTMLParser):
    """The text outside of the head and of metadata."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.texts: list[str] = []
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: object) -> None:
        name = tag.rpartition(":")[2]
        self._hidden = 0 if name == "body" else self._hidden + (name in _UNSEEN)

    def handle_startendtag(self, tag: str, attrs: object) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        self._hidden = max(0, self._hidden - (tag.rpartition(":")[2] in _UNSEEN))

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.texts.append(data)


def _ink(text: str) -> int:
    return sum(letter.isprintable() and not letter.isspace() for letter in text)


if __name__ == "__main__":
    json.dump(run(*map(int, sys.argv[1:])), sys.stdout)
