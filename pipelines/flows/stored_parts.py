"""What stands beside the stored parts of a file: where its frames are, and which of its exports use which parts."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Collection
from dataclasses import astuple
from fractions import Fraction
from pathlib import Path
from typing import Any

from cluster.storage import Storage
from pipelines.media.export_parts_folder import parts_folder
from pipelines.media.frame_index import PART_MS, Division, Part

SETS_MAX = 4
"""Exports of one file whose parts stay. Edits share nearly all of them; another style or size is a whole copy."""
_FORM = 1
"""Raise it when a division of an earlier version would divide another way."""
_SETS = "sets.json"


def division_key(file_id: str, source_key: str) -> str:
    name = hashlib.sha256(json.dumps([_FORM, PART_MS, source_key]).encode()).hexdigest()[:40]
    return f"{parts_folder(file_id)}/{name}.json"


def stored_division(storage: Storage, key: str, work: Path, divide: Callable[[], Division | None]) -> Division | None:
    """The division stored as `key`, else what `divide` finds, which is then stored.

    Reading the packets of an hour of video takes 0.7 core-seconds.
    """
    found = _read(storage, key)
    if found is not None:
        base, clock_us, rows = found
        return Division(tuple(Part(*row) for row in rows), Fraction(*base), clock_us)
    division = divide()
    if division is not None:
        base = [division.time_base.numerator, division.time_base.denominator]
        _write(storage, key, [base, division.clock_us, [astuple(part) for part in division.parts]], work)
    return division


def keep_sets(storage: Storage, file_id: str, keys: Collection[str], work: Path) -> None:
    """Note that an export uses these objects, and delete those that only exports before the last `SETS_MAX` used.

    Called before the first of them is written, so that a cancelled export's parts are counted as well. Two exports of a
    file at the same time may forget each other here: what then belongs to nobody goes with the file's other parts.
    """
    key = f"{parts_folder(file_id)}/{_SETS}"
    mine = sorted(keys)
    earlier: list[list[str]] = [each for each in _read(storage, key) or [] if each != mine]
    sets = [mine, *earlier][:SETS_MAX]
    _write(storage, key, sets, work)
    used = {name for each in sets for name in each}
    for name in {name for each in earlier[SETS_MAX - 1 :] for name in each} - used:
        storage.delete(name)


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
