"""Captions that cost the server much more than the attacker."""

from __future__ import annotations

import random
import time

from benchmarks.soak.abuse.target import REST_S, Tally, Target, Until, repeat, rounds

SETTINGS = "line:a" * 27
"""A careless regular expression can parse this as cue settings in 2^27 ways."""

STRAY_BLOCKS = 12_000
CJK_LETTERS = 4_000
SHIFTED_LINES = 20_000
LONG_S = 60.0
"""How long somebody waits for a change of so many lines."""
IMPORTED_LINES = 75_000
"""4.9 MB, just below the limit of an import."""


def settings_of_a_cue(target: Target, until: Until) -> Tally:
    content = f"1\n00:00:01,000 --> 00:00:02,000 {SETTINGS} x\nhi\n".encode()
    return repeat(lambda: target.import_captions("talk", content, "bomb.srt"), until)


def stray_blocks(target: Target, until: Until) -> Tally:
    content = b"WEBVTT\n\n00:01.000 --> 00:02.000\nhi\n\n" + b"a\n\n" * STRAY_BLOCKS
    return repeat(lambda: target.import_captions("talk", content, "bomb.vtt"), until)


def many_words(target: Target, until: Until) -> Tally:
    before = " ".join(["a"] * 5000)
    after = "b " + " ".join("a" if number % 2 else "c" for number in range(4998)) + " b"
    return _edit_in_turns(target, until, before, after)


def shuffled_letters(target: Target, until: Until) -> Tally:
    drawn = random.Random(1)
    letters = [chr(0x4E00 + drawn.randrange(2000)) for _ in range(CJK_LETTERS)]
    before = "".join(letters)
    drawn.shuffle(letters)
    return _edit_in_turns(target, until, before, "".join(letters))


def long_cues(target: Target, until: Until) -> Tally:
    """Replace cues, which the server compares with the old ones one by one."""
    texts = (" ".join(["a"] * 5000), "b " + " ".join("a" if number % 2 else "c" for number in range(4998)) + " b")
    contents = [f"1\n00:00:01,000 --> 00:00:09,000\n{text}\n".encode() for text in texts]
    tally = Tally()
    for _ in rounds(until):
        for content in contents:
            tally[target.import_captions("long", content, "long.srt")] += 1
        time.sleep(REST_S)
    return tally


def shifts(target: Target, until: Until) -> Tally:
    """Shift all lines of the longest file back and forth."""
    tally, offset, revision = Tally(), 1000, 0
    for _ in rounds(until):
        outcome, revision = target.change("long", revision, action="Shift", offset=offset)
        tally[outcome] += 1
        offset = -offset
        time.sleep(REST_S)
    return tally


def large_changes(target: Target, until: Until) -> Tally:
    """Import the longest file's captions, shift them, take both back. Every command writes all of its lines."""
    contents = [
        "".join(
            f"{number}\n{_time(number * 3000 + start)} --> {_time(number * 3000 + 2500)}\n{word} caption {number}.\n\n"
            for number in range(SHIFTED_LINES)
        ).encode()
        for start, word in ((0, "First"), (700, "Second"))
    ]
    tally = Tally()
    for turn in rounds(until):
        tally["import " + target.import_captions("long", contents[turn % 2], "long.srt", patience_s=LONG_S)] += 1
        _, revision = target.change("long", 0, action="None")
        for action, more in (("Shift", {"offset": 1000}), ("Undo", {}), ("Undo", {}), ("Redo", {})):
            outcome, revision = target.change("long", revision, patience_s=LONG_S, action=action, **more)
            tally[f"{action} {outcome}"] += 1
        time.sleep(REST_S)
    return tally


def huge_imports(target: Target, until: Until) -> Tally:
    content = "".join(
        f"{number}\n{_time(number * 4000)} --> {_time(number * 4000 + 3900)}\nline {number}\n\n"
        for number in range(1, IMPORTED_LINES + 1)
    ).encode()
    return repeat(lambda: target.import_captions("huge", content, "huge.srt"), until)


def _edit_in_turns(target: Target, until: Until, *texts: str) -> Tally:
    tally, revision = Tally(), 0
    for _ in rounds(until):
        for text in texts:
            outcome, revision = target.change("talk", revision, action="Edit", line=target.lines[0], content=text)
            tally[outcome] += 1
        time.sleep(REST_S)
    return tally


def _time(ms: int) -> str:
    seconds, ms = divmod(ms, 1000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:02}:{minutes:02}:{seconds:02},{ms:03}"
