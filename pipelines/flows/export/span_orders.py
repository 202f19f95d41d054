"""A run of neighbouring parts that one task encodes and stores."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from cluster.storage.objects import Storage
from pipelines.media.export.burn_in import DrawnPicture, write_script
from pipelines.media.export.frame_index import Division, Part
from pipelines.media.export.part_encoding import encode_span, finished_parts, part_file
from pipelines.media.export.part_seal import seal
from pipelines.media.probe import MediaFacts


@dataclass(frozen=True, slots=True)
class SpanOrder:
    """What every span of one export shares. `keys` name the stored parts by number."""

    source_key: str
    division: Division
    facts: MediaFacts
    picture: DrawnPicture
    script: str
    keys: tuple[str, ...]


def encode_order(order: SpanOrder, span: Sequence[Part], path: Path, folder: Path, storage: Storage) -> None:
    """Encode the parts of `span` in `folder` and store each as soon as it is whole."""
    folder.mkdir(parents=True)
    write_script(folder, order.script)
    assert order.facts.video is not None
    encoding = encode_span(
        *(path, order.facts.video, order.division, span, order.picture, folder), size_bytes=order.facts.size_bytes
    )
    try:
        with closing(encoding):
            for _ in encoding:
                store_finished(folder, span, order.keys, storage)
        store_finished(folder, span, order.keys, storage)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def store_finished(folder: Path, span: Sequence[Part], keys: Sequence[str], storage: Storage) -> list[Part]:
    """Seal the parts that are whole, move them from the folder into storage, and return them."""
    by_name = {part_file(part): part for part in span}
    stored = []
    for name in finished_parts(folder):
        if name in by_name and (folder / name).exists():
            key = keys[by_name[name].number]
            seal(folder / name, PurePosixPath(key).stem)
            storage.put(folder / name, key)
            stored.append(by_name[name])
    return stored
