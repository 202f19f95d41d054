"""The terminal's lines about a speech model that is being downloaded."""

from __future__ import annotations

import pytest

from api.edges.cli.installation.model_lines import ModelLines
from serve.core.capability import FETCH_EVENT, TASK_EVENT


def test_lines_wait_for_the_first_captions_and_then_come_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    lines = ModelLines()
    assert not lines.take({"event": "models.ready"})
    for sentence in ("Getting “base”.", "25 %.", "50 %."):
        assert lines.take({"event": FETCH_EVENT, "sentence": sentence})
    assert capsys.readouterr().out == ""
    lines.release()
    assert capsys.readouterr().out.splitlines() == ["Getting “base”.", "50 %."]
    lines.take({"event": FETCH_EVENT, "sentence": "75 %."})
    assert capsys.readouterr().out.splitlines() == ["75 %."]


def test_what_a_hub_sends_cannot_drive_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    lines = ModelLines()
    lines.release()
    lines.take({"event": FETCH_EVENT, "sentence": "Its licence is \x1b[2J[red]mit."})
    shown = capsys.readouterr().out
    assert "\x1b" not in shown
    assert "[red]mit." in shown


def test_each_task_shows_its_newest_line(capsys: pytest.CaptureFixture[str]) -> None:
    lines = ModelLines()
    lines.take({"event": TASK_EVENT, "task": "text", "sentence": "AI text is not available."})
    lines.take({"event": TASK_EVENT, "task": "translation", "sentence": "Translation: apertium."})
    lines.take({"event": TASK_EVENT, "task": "text", "sentence": "AI text: qwen."})
    lines.release()
    assert capsys.readouterr().out.splitlines() == ["AI text: qwen.", "Translation: apertium."]
