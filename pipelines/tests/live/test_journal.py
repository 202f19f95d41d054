"""The journal of a live recording: written piece by piece by one process, read by another."""

from __future__ import annotations

from pathlib import Path

import pytest

from cluster.storage.folder import LocalStorage
from pipelines.media.sound.journal import PIECE_BYTES, REST_S, Journal, write_end, write_piece

FOLDER = "live/one"


@pytest.fixture
def storage(tmp_path: Path) -> LocalStorage:
    return LocalStorage(tmp_path / "objects")


def piece(number: int) -> bytes:
    return bytes([number]) * PIECE_BYTES


def test_pieces_come_in_order_and_the_end_is_known(storage: LocalStorage, tmp_path: Path) -> None:
    clock = [0.0]
    journal = Journal(storage, FOLDER, lambda: clock[0])
    assert journal.next() is None
    clock[0] += 1
    for number in range(3):
        write_piece(storage, FOLDER, number, piece(number), tmp_path / "work")
    assert journal.next() == piece(0)
    assert journal.next() is None, "it has just waited for one"
    clock[0] += REST_S
    assert [journal.next() for _ in range(2)] == [piece(1), piece(2)], "what has piled up comes at once"
    assert journal.next() is None
    assert not journal.is_read
    write_piece(storage, FOLDER, 3, b"\1\1", tmp_path / "work")
    write_end(storage, FOLDER, 4, tmp_path / "work")
    clock[0] += 1
    assert journal.next() == b"\1\1".ljust(PIECE_BYTES, b"\0"), "the last one is filled up with silence"
    clock[0] += 1
    assert journal.next() is None
    assert journal.is_read


def test_an_empty_journal_ends(storage: LocalStorage, tmp_path: Path) -> None:
    journal = Journal(storage, FOLDER, lambda: 0.0)
    write_end(storage, FOLDER, 0, tmp_path / "work")
    assert journal.next() is None
    assert journal.is_read


def test_it_looks_for_the_next_piece_a_few_times_a_second_only(storage: LocalStorage, tmp_path: Path) -> None:
    clock = [0.0]
    looks: list[str] = []

    class Counting(LocalStorage):
        def read(self, key: str, start: int = 0, stop: int | None = None):  # type: ignore[no-untyped-def]
            looks.append(key)
            return super().read(key, start, stop)

    journal = Journal(Counting(storage.root), FOLDER, lambda: clock[0])
    for _ in range(1_000):
        assert journal.next() is None
        clock[0] += 0.001
    assert len(looks) <= 11 + 3
