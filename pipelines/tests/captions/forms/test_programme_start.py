"""EBU-STL that counts from the time address of the first frame."""

from __future__ import annotations

import pytest

from pipelines.captions.forms.form import CaptionFormat, Document
from pipelines.captions.forms.registry import write
from pipelines.captions.imports.subtitles import parse_subtitles
from pipelines.messages.lines import CaptionLine
from pipelines.timecode import Counting, address_of

LINES = [CaptionLine("1", 2_000, 4_000, "One"), CaptionLine("2", 5_000, 7_000, "Two")]


@pytest.mark.parametrize(
    ("start", "digits"), [("10:00:00:00", b"10000000"), ("09:58:30:12", b"09583012"), ("", b"00000000")]
)
def test_ebu_stl_says_where_its_programme_starts(start: str, digits: bytes) -> None:
    raw = write(CaptionFormat.STL, Document(LINES, "en-US", fps=25, programme_start=start))
    assert raw[256:264] == digits
    # Its times are those of the tape, and come back as those of the film.
    assert raw[1024 + 5] == int(digits[:2])
    assert [(each.start_ms, each.end_ms) for each in parse_subtitles(raw).lines] == [(2_000, 4_000), (5_000, 7_000)]


@pytest.mark.parametrize("counting", [Counting(25), Counting(30), Counting(30, drop=True), Counting(60, drop=True)])
def test_every_address_is_that_of_its_frame(counting: Counting) -> None:
    for number in [*range(4_000), *range(17_900, 18_100), *range(107_800, 108_200), 2_000_000]:
        address = address_of(counting.address(number))
        assert address is not None
        assert address.at(counting, counting.base) == number
        assert address.drop == counting.drop


@pytest.mark.parametrize("text", ["", "1:00:00:00", "01:60:00:00", "01:00:00", "x"])
def test_what_is_no_address(text: str) -> None:
    assert address_of(text) is None
