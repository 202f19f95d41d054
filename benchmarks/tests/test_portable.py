"""Results on record name no folder of the machine that measured."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

import pytest

from benchmarks.goals.figures_page import RESULTS, results_in
from cluster.testing.portable import portable

CHECKOUT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("text", "short"),
    [
        (f'"{CHECKOUT}/benchmarks/results"', '"benchmarks/results"'),
        (f"--model {tempfile.gettempdir()}/bench-asr-2x11wx4k/models/whisper", "--model models/whisper"),
        (f'"{Path.home()}/recordings/talk.wav"', '"recordings/talk.wav"'),
        ("/data/models/whisper-is", "/data/models/whisper-is"),
    ],
)
def test_paths_become_relative(text: str, short: str) -> None:
    assert portable(text) == short


def test_results_on_record_hold_no_such_path() -> None:
    for result in results_in(RESULTS):
        text = (RESULTS / result.file).read_text("utf-8")
        assert not re.search(r"(?<![\w.])/(?:tmp|root|home)/", text), result.file
