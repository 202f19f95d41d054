"""Texts that once kept a reader or an edit busy for minutes. They run in processes that are killed when one hangs."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable

import pytest

HANGS_AFTER_S = 60
"""Of processor time, which other work on the machine does not use up. The slowest needs 5 s; before the fixes each took
minutes or days."""
LIMITED = (
    "import resource, time\n"
    f"until_s = int(time.process_time()) + {HANGS_AFTER_S}\n"
    "resource.setrlimit(resource.RLIMIT_CPU, (until_s, resource.RLIM_INFINITY))\n"
)

SRT = "from pipelines.captions.reading.srt import parse_srt as read\n"
VTT = "from pipelines.captions.reading.vtt import parse_vtt as read\n"
READ = (
    "from pipelines.captions.reading.cues import UnreadableSubtitles\n"
    "from pipelines.captions.imports.subtitles import parse_subtitles\n"
    "def read(raw):\n"
    "    try: parse_subtitles(raw)\n"
    "    except UnreadableSubtitles: pass\n"
)
EDIT = (
    "from pipelines.messages.lines import CaptionLine\n"
    "from pipelines.captions.edits.edit import add, apply, edit_line\n"
    "def edit(before, after):\n"
    "    lines = list(add([], new_id='a', start_ms=0, end_ms=9000, text=before).after)\n"
    "    (line,) = edit_line(lines, 'a', text=after).after\n"
    "    assert ''.join(word.text for word in line.words) == ''.join(after.split())\n"
)

HOSTILE = {
    "settings that run into each other": SRT
    + "read('1\\n00:00:01,000 --> 00:00:02,000 ' + 'line:a' * 60 + ' x\\nhi\\n')",
    "settings parted by spaces": SRT + "read('00:01 --> 00:02' + ' line:a' * 200_000 + ' x\\nhi\\n')",
    "spaces before an arrow": SRT + "read('00:01' + ' ' * 500_000 + 'x\\n00:01 --> 00:02\\na')",
    "digits without an end": SRT + "read('1' * 500_000 + ' --> ' + '1:' * 500_000 + '\\n00:01 --> 00:02\\na')",
    "nothing but returns": SRT + "read('00:01 --> 00:02\\na' + '\\r' * 1_000_000 + 'b')",
    "cues that start together": SRT + "read('00:01 --> 00:02\\nabc def\\n' * 100_000)",
    "numbers and blank rows": SRT + "read('00:01 --> 00:02\\na\\n' + '\\n7' * 300_000)",
    "open tags": "from pipelines.captions.reading.markup import read_markup as plain\n"
    "plain('<i ' * 500_000 + '{\\\\' * 500_000)",
    "blocks outside a cue": VTT + "read('WEBVTT\\n\\n00:01.000 --> 00:02.000\\n' + 'a\\n\\n' * 12_000)",
    "braces of styles": VTT + "read('WEBVTT\\n\\n' + 'STYLE\\n{\\n\\n' * 100_000 + '00:01.000 --> 00:02.000\\na')",
    "open voices": VTT + "read('WEBVTT\\n\\n00:01.000 --> 00:02.000\\n' + '<v a' * 300_000 + '<1' * 300_000)",
    "an endless reference": VTT + "read('WEBVTT\\n\\n00:01.000 --> 00:02.000\\n&#' + '1' * 1_000_000)",
    "signs that no XML has": READ + "read(b'<tt><body>' + b'<p begin=\"1s\">& < &eacute; &#0; ' * 60_000)",
    "comments without an end": READ + "read(b'<tt><body>' + b'<!-- <![CDATA[ ' * 200_000)",
    "an entity of entities": READ
    + "read(b'<!DOCTYPE tt [<!ENTITY a \"' + b'x' * 999 + b'\">'"
    + " + b'<!ENTITY b \"' + b'&a;' * 99 + b'\"><!ENTITY c \"' + b'&b;' * 99 + b'\">]>'"
    + " + b'<tt><p begin=\"1s\">' + b'&c;' * 999 + b'</p></tt>')",
    "tags of a song": READ + "read(b'[00:01.00]' * 20_000 + b'x\\n' + b'[a:' * 300_000)",
    "tags of SAMI": READ + "read(b'<SAMI><SYNC Start=1>' + b'<p class=' * 100_000 + b'<!--' * 100_000)",
    "one word many times": EDIT + "edit(' '.join('a' * 5000), 'b ' + ' '.join('ac' * 2499) + ' b')",
    "letters of a script without spaces": EDIT
    + "import random\nd = random.Random(1)\n"
    + "text = lambda: ''.join(d.choice('的一是不了人我在有他这为之大来') for _ in range(9_990))\nedit(text(), text())",
}


SECONDS_LONG = ("settings parted by spaces", "cues that start together", "numbers and blank rows", "open voices")


@pytest.mark.long
def test_hostile_text_of_seconds_does_not_hang() -> None:
    read_all(SECONDS_LONG)


@pytest.mark.long
def test_hostile_text_does_not_hang() -> None:
    read_all([name for name in HOSTILE if name not in SECONDS_LONG])


def read_all(names: Iterable[str]) -> None:
    """One process reads them all, because its imports take longer than most of the texts."""
    program = "".join(f"print({name!r}, flush=True)\n{LIMITED}{HOSTILE[name]}\n" for name in names)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, (done.stdout.splitlines()[-1:], done.stderr)
