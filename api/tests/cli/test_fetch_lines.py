"""The terminal's lines about a speech model that is being downloaded."""

from __future__ import annotations

import pytest

from api.cli.fetch_lines import FetchLines
from serve.capability import FETCH_EVENT


def test_lines_wait_for_the_first_captions_and_then_come_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    lines = FetchLines()
    assert not lines.take({"event": "models.ready"})
    for sentence in ("Getting “base”.", "25 %.", "50 %."):
        assert lines.take({"event": FETCH_EVENT, "sentence": sentence})
    assert capsys.readouterr().out == ""
    lines.release()
    assert capsys.readouterr().out.splitlines() == ["Getting “base”.", "50 %."]
    lines.take({"event": FETCH_EVENT, "sentence": "75 %."})
    assert capsys.readouterr().out.splitlines() == ["75 %."]


def test_what_a_hub_sends_cannot_drive_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    lines = FetchLines()
    lines.release()
    lines.take({"event": FETCH_EVENT, "sentence": "Its licence is \x1b[2J[red]mit."})
    shown = capsys.readouterr().out
    assert "\x1b" not in shown
    assert "[red]mit." in shown
