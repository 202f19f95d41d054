"""Uploads to the web process of `sagascript up`: against a bare loop, against the official Node server, and killed.

Everything lies in memory (`/dev/shm`). The server has one core and the driver the other. Against the bare loop the CPU
time of the server counts, against Node the time on the clock. Durability stays on: a PATCH is answered after
`fdatasync` and the database's commit. With the defaults it takes about three minutes on a quiet machine.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from statistics import median
from typing import Annotated

import typer

from api.platform.settings import ApiSettings
from benchmarks.goals.pairs import alternate
from benchmarks.goals.report import Report
from benchmarks.goals.uploads import servers, speed
from benchmarks.goals.uploads.killed import kill_and_resume
from benchmarks.goals.uploads.owner import SECRET, upload_tokens
from benchmarks.goals.uploads.speed import CHUNK, SIZE, Way

MEMORY = Path("/dev/shm")
TOKENS = 1000
WARM_UPS = 10


def command(
    pairs: Annotated[int, typer.Option(help="Pairs of measurements for each goal.")] = 5,
    times: Annotated[int, typer.Option(help="Uploads of 256 MiB in one measurement.")] = 2,
    kills: Annotated[int, typer.Option(help="Web processes killed in the middle of a PATCH.")] = 5,
    peer: Annotated[bool, typer.Option(help="Compare with @tus/server, which npm installs for this run.")] = True,
) -> None:
    """Goals 11 to 14."""
    report = Report("uploads")
    os.sched_setaffinity(0, servers.DRIVER_CORE)
    with tempfile.TemporaryDirectory(dir=MEMORY, prefix="uploads-") as folder:
        _against_raw(report, Path(folder), pairs, times)
        if peer:
            _against_peer(report, Path(folder), pairs)
        _killed(report, Path(folder), kills)
    report.write()


def _against_raw(report: Report, folder: Path, pairs: int, times: int) -> None:
    """CPU time, without and with checksums, in chunks, and to the end of an upload."""
    bare = folder / "raw" / "objects"
    bare.mkdir(parents=True)
    raw_port = servers.free_port()
    with servers.running(servers.raw(raw_port, bare), raw_port, bare) as raw:
        base = speed.raw(raw, SIZE, times)
        ways = (
            ("11", "one PATCH", Way(SIZE)),
            ("", "8 MiB chunks", Way(CHUNK)),
            ("12", "one PATCH with its sha256", Way(SIZE, with_checksum=True)),
            ("", "8 MiB chunks with their sha256", Way(CHUNK, with_checksum=True)),
            ("", "as the pages do it: 50 MB chunks, to a finished file", Way(speed.STOCK, to_the_end=True)),
        )
        for key, name, way in ways:
            data, port, tokens = _installation(folder)
            argv, environment = servers.ours(port, data)
            with servers.running(argv, port, data, **environment) as server:
                send = speed.tus(server, way, tokens, times)
                # Warm up imports, the database's first pages and the threads.
                speed.per_core_second(server, speed.tus(server, way, tokens))
                found = alternate(
                    partial(speed.per_core_second, server, send),
                    partial(speed.per_core_second, raw, base),
                    pairs,
                )
            detail = {"way": name, "megabytes_a_core_second": median(found.ours), **found.detail()}
            if key:
                report.goal(key, found.ratio, **detail)
            else:
                report.figure(f"PATCH / raw loop, MB per core-second: {name}", found.ratio, "x", **detail)


def _against_peer(report: Report, folder: Path, pairs: int) -> None:
    """Time on the clock."""
    script_folder = folder / "peer"
    (script_folder / "objects").mkdir(parents=True)
    script = servers.install_peer(script_folder)
    if script is None:
        report.note("@tus/server was not compared: npm could not install it.")
        return
    peer_port = servers.free_port()
    argv = ["node", str(script), str(peer_port), str(script_folder / "objects")]
    with servers.running(argv, peer_port, script_folder) as peer:
        _possible(report, folder, peer, pairs)
        for key, name, way in (
            ("13", "one PATCH", Way(SIZE)),
            ("13-chunks", "8 MiB chunks", Way(CHUNK)),
            ("", "one PATCH, to a finished file", Way(SIZE, to_the_end=True)),
        ):
            data, port, tokens = _installation(folder)
            argv, environment = servers.ours(port, data)
            with servers.running(argv, port, data, **environment) as server:
                send, send_peer = speed.tus(server, way, tokens), speed.tus(peer, way, None)
                # Warm up, like the peer.
                speed.per_second(server, speed.tus(server, way, tokens, WARM_UPS))
                found = alternate(
                    partial(speed.per_second, server, send),
                    partial(speed.per_second, peer, send_peer),
                    pairs,
                )
            detail = {"way": name, "megabytes_a_second": median(found.ours), **found.detail()}
            if key:
                report.goal(key, found.ratio, **detail)
            else:
                report.figure(f"tus / @tus/server, MB/s wall: {name}", found.ratio, "x", **detail)


def _possible(report: Report, folder: Path, peer: servers.Server, pairs: int) -> None:
    """The best possible result here: a server that only receives and writes, against the peer."""
    bare, port = folder / "bare" / "objects", servers.free_port()
    bare.mkdir(parents=True)
    with servers.running(servers.raw(port, bare), port, bare) as raw:
        send_peer = speed.tus(peer, Way(SIZE), None)
        # Node compiles hot code: its first uploads are slower by a third.
        speed.per_second(peer, speed.tus(peer, Way(SIZE), None, WARM_UPS))
        found = alternate(
            partial(speed.per_second, raw, speed.raw(raw, SIZE, 1)),
            partial(speed.per_second, peer, send_peer),
            pairs,
        )
    detail = {"megabytes_a_second": median(found.ours), **found.detail()}
    report.figure("raw receive and write loop / @tus/server, MB/s wall", found.ratio, "x", **detail)


def _killed(report: Report, folder: Path, kills: int) -> None:
    data, port, tokens = _installation(folder)
    found = kill_and_resume(kills, port, data, tokens)
    report.goal("14-lost", found.lost, kills=kills)
    report.goal("14-resume", found.head_p99_ms, heads=len(found.head_ms), slowest_ms=max(found.head_ms))
    report.figure("objects that differ from what was sent", found.damaged, "objects", kills=kills)


def _installation(folder: Path) -> tuple[Path, int, Iterator[str]]:
    """Data folder, port and upload tokens of a new installation."""
    data, port = Path(tempfile.mkdtemp(dir=folder, prefix="ours-")), servers.free_port()
    settings = ApiSettings(data_dir=data, port=port, session_secret=SECRET)
    return data, port, upload_tokens(settings, TOKENS)
