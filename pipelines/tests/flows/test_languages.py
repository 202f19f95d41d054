"""Files without a chosen language: several windows vote, and the whole file is decoded in the winner."""

from __future__ import annotations

from pathlib import Path

from pipelines.captions.json_form import line_from_json
from pipelines.testing.captioned import Captioned
from pipelines.testing.in_process import InProcessClient
from pipelines.testing.voices import silence, write_wav
from serve.testing.speech import SpokenClip

GAP_S = 3.5
"""Longer than a window may span, so that each clip is a window of its own."""


def file_of(tmp_path: Path, clips: list[SpokenClip]) -> Path:
    return write_wav(tmp_path / "spoken.wav", *(part for clip in clips for part in (clip.pcm, silence(GAP_S))))


def test_an_intro_in_another_language_does_not_decide(
    captioned: Captioned, client: InProcessClient, clips: list[SpokenClip], tmp_path: Path
) -> None:
    english = [clip for clip in clips if clip.lang == "en"][:3]
    icelandic = [clip for clip in clips if clip.lang == "is"][:6]
    # The first windows alone would all vote for English.
    result = captioned(file_of(tmp_path, [*english, *icelandic]))
    assert result["language"] == "is-IS"
    assert 0.5 < result["language_probability"] < 1
    assert {window.options.language for window in client.windows} == {"is"}
    lines = [line_from_json(line).text.replace("\n", " ") for line in result["lines"]]
    assert lines[-6:] == [clip.text for clip in icelandic]


def test_a_chosen_language_is_not_detected(
    captioned: Captioned, client: InProcessClient, clips: list[SpokenClip], tmp_path: Path
) -> None:
    english = [clip for clip in clips if clip.lang == "en"][:2]
    client.detect = None  # type: ignore[assignment,method-assign]
    result = captioned(file_of(tmp_path, english), language="en-GB")
    assert (result["language"], result["language_probability"]) == ("en-GB", 1.0)
    assert [line_from_json(line).text for line in result["lines"]] == [clip.text for clip in english]
