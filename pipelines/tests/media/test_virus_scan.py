"""The virus scanner, a real ClamAV daemon: what it finds stops the upload, and so does its absence."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from cluster.settings import get_cluster_settings
from cluster.storage.folder import LocalStorage
from cluster.testing.ports import free_port
from pipelines.media.virus_scan import FOUND, MALWARE, NO_ANSWER, PIECE_BYTES, scan
from pipelines.messages.attempt import Progress, StageFailed
from pipelines.testing.media.attempts import Attempted, failure_of, result_of
from pipelines.testing.media.clamd import INFECTION, NAME, running_clamd


@pytest.fixture(scope="module")
def clamd() -> Iterator[str]:
    with running_clamd() as address:
        yield address


@pytest.fixture
def scanned(clamd: str, installation: LocalStorage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAGASCRIPT_CLAMD", clamd)
    get_cluster_settings.cache_clear()


@pytest.mark.usefixtures("scanned")
def test_a_clean_film_goes_on(media: Path, attempt: Attempted) -> None:
    streamed = attempt("upload", media / "plain.mp4")
    assert result_of(streamed)["kind"] == "video"
    phases = [value.phase for value in streamed if isinstance(value, Progress)]
    assert phases[0] == "scanning"
    assert "probing" in phases


@pytest.mark.usefixtures("scanned")
def test_an_infected_film_is_read_by_nothing_else(media: Path, attempt: Attempted, tmp_path: Path) -> None:
    film = tmp_path / "infected.mp4"
    film.write_bytes((media / "plain.mp4").read_bytes() + INFECTION)
    failure = failure_of(attempt("upload", film))
    assert (failure.reason, failure.code, failure.retryable) == (FOUND(name=NAME), MALWARE, False)


@pytest.mark.long
@pytest.mark.parametrize("at", [0, PIECE_BYTES - len(INFECTION) // 2, PIECE_BYTES + 7, 2 * PIECE_BYTES - 1])
def test_an_infection_is_found_anywhere_in_a_long_film(clamd: str, tmp_path: Path, at: int) -> None:
    film = tmp_path / "long.mkv"
    with film.open("wb") as written:
        written.truncate(2 * PIECE_BYTES + 100)
        written.seek(at)
        written.write(INFECTION)
    with pytest.raises(StageFailed) as failed:
        list(scan(film, clamd))
    assert failed.value.code == MALWARE


@pytest.mark.long
def test_a_long_clean_film_is_scanned_to_its_end(clamd: str, tmp_path: Path) -> None:
    film = tmp_path / "long.mkv"
    with film.open("wb") as written:
        written.truncate(2 * PIECE_BYTES + 100)
    assert list(scan(film, clamd)) == [PIECE_BYTES, 2 * PIECE_BYTES, 2 * PIECE_BYTES + 100]


def test_nothing_goes_on_while_no_scanner_answers(tmp_path: Path) -> None:
    film = tmp_path / "film.mp4"
    film.write_bytes(b"film")
    with pytest.raises(StageFailed) as failed:
        list(scan(film, f"127.0.0.1:{free_port()}"))
    assert (failed.value.reason, failed.value.retryable) == (NO_ANSWER, True)


@pytest.mark.parametrize("answer", [b"", b"stream: OKAY\n", b"stream: Can't allocate memory ERROR\n", b"\xff\xfe\n"])
def test_nonsense_passes_nothing(tmp_path: Path, answer: bytes) -> None:
    film = tmp_path / "film.mp4"
    film.write_bytes(b"film")
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def talk() -> None:
            connection, _ = listening.accept()
            with connection:
                while not connection.recv(65536).endswith(b"\0\0\0\0"):
                    pass
                connection.sendall(answer)

        thread = threading.Thread(target=talk)
        thread.start()
        with pytest.raises(StageFailed) as failed:
            list(scan(film, f"127.0.0.1:{listening.getsockname()[1]}"))
        thread.join()
    assert (failed.value.reason, failed.value.retryable) == (NO_ANSWER, True)
