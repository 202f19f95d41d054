"""What stands beside the stored parts of a file: where its frames are, and which of its exports use which parts."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Collection
from dataclasses import astuple
from fractions import Fraction
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from cluster.storage.objects import Storage
from pipelines.media.export.frame_index import PART_MS, PARTS_MAX, Division, Part
from pipelines.media.probe import MediaFacts
from pipelines.messages.results import parts_folder

SETS_MAX = 4
"""Exports of one file whose parts stay. Edits share nearly all of them; another style or size is a whole copy."""
_FORM = 2
"""Raise it when a division of an earlier version would divide another way, or was named by something else."""
_SETS = "sets.json"


def stored_name(made_from: object) -> str:
    """The name of an object that was made from these values, of which JSON can be written."""
    whole = json.dumps(made_from, ensure_ascii=False)
    return hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()[:40]


def division_key(file_id: str, original: str, facts: MediaFacts) -> str:
    """Where the division of an original, named by the digest of its content, is stored."""
    video = facts.video
    stream = [video.index, *video.time_base] if video is not None else []
    reader = _reader()
    name = stored_name([_FORM, PART_MS, PARTS_MAX, reader, original, facts.container, facts.duration_ms, stream])
    return f"{parts_folder(file_id)}/{name}.json"


def stored_division(storage: Storage, key: str, work: Path, divide: Callable[[], Division | None]) -> Division | None:
    """The division stored as `key`, else what `divide` finds, which is then stored.

    Reading the packets of an hour of video takes 0.7 core-seconds.
    """
    stored = _division_of(_read(storage, key), key)
    if stored is not None:
        return stored
    division = divide()
    if division is not None:
        base = [division.time_base.numerator, division.time_base.denominator]
        value = [base, division.clock_us, [astuple(part) for part in division.parts]]
        _write(storage, key, {"value": value, "sum": _sum(key, value)}, work)
    return division


def _division_of(stored: Any, key: str) -> Division | None:
    """None where it was not stored under this key, is damaged, or has another form."""
    try:
        if stored["sum"] != _sum(key, stored["value"]):
            return None
        base, clock_us, rows = stored["value"]
    except (KeyError, TypeError):
        return None
    return Division(tuple(Part(*row) for row in rows), Fraction(*base), clock_us)


def _sum(key: str, value: object) -> str:
    return stored_name([key.rpartition("/")[2], value])


@lru_cache
def _reader() -> str:
    """The library that finds the frames, with its version."""
    return f"av {version('av')}"


def keep_sets(storage: Storage, file_id: str, keys: Collection[str], work: Path) -> None:
    """Note that an export uses these objects, and delete those that only exports before the last `SETS_MAX` used.

    Called before the first of them is written, so that a cancelled export's parts are counted as well. Two exports of a
    file at the same time may forget each other here: what then belongs to nobody goes with the file's other parts.
    """
    folder = parts_folder(file_id)
    key = f"{folder}/{_SETS}"
    mine = sorted(keys)
    earlier = [each for each in _sets(_read(storage, key), folder) if each != mine]
    sets = [mine, *earlier][:SETS_MAX]
    _write(storage, key, sets, work)
    used = {name for each in sets for name in each}
    for name in {name for each in earlier[SETS_MAX - 1 :] for name in each} - used:
        storage.delete(name)


def _sets(stored: Any, folder: str) -> list[list[str]]:
    """The sets as stored, without anything that is no object of this folder."""
    return [
        [name for name in each if isinstance(name, str) and name.rpartition("/")[0] == folder]
        for each in (stored if isinstance(stored, list) else [])
        if isinstance(each, list)
    ]


def _read(storage: Storage, key: str) -> Any:
    """None where nothing is stored, or nothing readable."""
    try:
        return json.loads(b"".join(storage.read(key)))
    except (FileNotFoundError, ValueError):
        return None


def _write(storage: Storage, key: str, value: object, work: Path) -> None:
    path = work / key.rpartition("/")[2]
    path.write_text(json.dumps(value))
    storage.put(path, key)
