"""The short meeting that the tiny chat model of the tests knows by heart, with texts about it."""

from __future__ import annotations

from pathlib import Path

from serve.testing.meeting import LINES, TEXTS, TITLE


def made_folder(folder: Path) -> Path:
    where = folder / "en"
    where.mkdir(parents=True)
    rows = [f"{line.speaker}: {line.text}" for line in LINES]
    (where / f"{TITLE}.txt").write_text("\n".join(rows), encoding="utf-8")
    for type, parts in TEXTS.items():
        (where / f"{TITLE}.{type}.txt").write_text("\n".join(part["text"] for part in parts), encoding="utf-8")
    return folder
