"""The editor marks glossary terms by itself. Its endings of words are those by which the server finds terms."""

from __future__ import annotations

import json
from pathlib import Path

from pipelines.translation.terms.stems import ENDINGS

UI = Path(__file__).parents[3] / "ui"


def test_the_editor_strips_the_endings_that_the_server_strips() -> None:
    written = (UI / "src/domain/captions/terms/endings.json").read_text(encoding="utf-8")
    assert json.loads(written) == ENDINGS
