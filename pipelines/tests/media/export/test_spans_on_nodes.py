"""Parts of one export that other nodes encode: nodes die in the middle, nothing is encoded twice, a cancel ends all."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import av
import pytest
import ray

from cluster.settings import get_cluster_settings
from cluster.storage.folder import LocalStorage
from cluster.testing.patience import PATIENCE_S
from cluster.testing.processes import ends_within
from cluster.testing.ray_cluster import ray_cluster
from cluster.testing.ray_node import RayNode
from pipelines.flows.export import flow as export
from pipelines.flows.export import parts as export_parts
from pipelines.flows.export import span_tasks
from pipelines.flows.tasks import attempt_stream
from pipelines.media.export import part_encoding
from pipelines.media.export.frame_index import Part, divide
from pipelines.media.ffmpeg import find_ffmpeg
from pipelines.messages.attempt import Result
from pipelines.messages.requests import EXPORT, ExportRequest
from pipelines.messages.results import ExportResult, parts_folder
from pipelines.testing.media.attempts import SOURCE_KEY
from pipelines.testing.media.samples import ffmpeg

SRT = "1\n00:00:00,500 --> 00:00:01,500\n{}\n\n2\n00:00:06,500 --> 00:00:07,500\n{}\n"
HOLDING = """#!/bin/sh
echo $$ > {folder}/began.new && mv {folder}/began.new {folder}/began
while [ -e {folder}/hold ]; do sleep 0.05; done
exec {ffmpeg} "$@"
"""


class HeldNode(RayNode):
    """A node whose ffmpeg waits while `hold` exists; `began` then has the id of its process."""

    def begun(self) -> int:
        began = self.log.parent / "began"
        return int(began.read_text()) if began.exists() else 0


@pytest.fixture
def nodes(installation: LocalStorage, tmp_path: Path) -> Iterator[list[HeldNode]]:
    with ray_cluster(get_cluster_settings().data_dir):
        made: list[HeldNode] = []
        try:
            for name in ("first", "second"):
                folder = tmp_path / name
                folder.mkdir()
                program = folder / "ffmpeg"
                program.write_text(HOLDING.format(folder=folder, ffmpeg=find_ffmpeg()))
                program.chmod(0o755)
                env = {**os.environ, "SAGASCRIPT_FFMPEG": str(program)}
                address = ray.get_runtime_context().gcs_address
                made.append(HeldNode(address, env, folder / "node.log", slots=1))
                made[-1].start()
            yield made
        finally:
            for node in made:
                node.kill()


@dataclass
class Here:
    """The numbers of the parts that this process encodes, none before the nodes in `after` are at work."""

    numbers: list[int] = field(default_factory=list)
    after: list[HeldNode] = field(default_factory=list)


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> Here:
    """Parts last a second, and a span is one part."""
    mine = Here()
    encode = part_encoding.encode_span

    def encode_span(path: Path, video: Any, division: Any, span: list[Part], *more: Any, **limits: Any) -> Any:
        mine.numbers.extend(part.number for part in span)
        while not all(node.begun() for node in mine.after):
            time.sleep(0.05)
        return encode(path, video, division, span, *more, **limits)

    monkeypatch.setattr(export_parts, "encode_span", encode_span)
    monkeypatch.setattr(export, "divide", lambda path, facts: divide(path, facts, part_ms=1_000))
    monkeypatch.setattr(span_tasks, "SPAN_FRAMES", 25)
    return mine


@pytest.mark.long
def test_nodes_share_parts_and_one_of_them_dies(
    nodes: list[HeldNode], here: Here, installation: LocalStorage, tmp_path: Path
) -> None:
    ffmpeg("-f", "lavfi", "-i", "testsrc=s=320x180:r=25:d=8", "-f", "lavfi", "-i", "sine=440:d=8", "-c:v", "libx264",
           "-g", "25", "-pix_fmt", "yuv420p", "-c:a", "aac", "film.mp4", cwd=tmp_path)  # fmt: skip
    times, sound = _packets(tmp_path / "film.mp4")
    installation.put(tmp_path / "film.mp4", SOURCE_KEY)

    dying, lasting = nodes
    (dying.log.parent / "hold").touch()
    here.after = [dying, lasting]
    values = []
    for value in attempt_stream(EXPORT, _request("One", "Two"), "job", 1):
        values.append(value)
        if dying.begun():
            dying.kill()
    assert isinstance(values[-1], Result)
    assert isinstance(values[-1].payload, ExportResult)
    assert _packets(installation.open_path(values[-1].payload.export_key)) == (times, sound)
    assert len(here.numbers) == len(set(here.numbers)), "a part was encoded twice"
    assert len(here.numbers) < 8, "the other node's parts were encoded here too"

    # A cancel in the middle of the next export ends what the other node is at.
    (lasting.log.parent / "began").unlink()
    (lasting.log.parent / "hold").touch()
    here.after = [lasting]
    stored = set((installation.root / parts_folder("f")).iterdir())
    stream = attempt_stream(EXPORT, _request("One changed", "Two changed"), "job", 2)
    for _ in stream:
        if pid := lasting.begun():
            stream.close()
            assert ends_within(pid, PATIENCE_S)
    assert not (get_cluster_settings().work_root / "job" / "2").exists()
    assert stored <= set((installation.root / parts_folder("f")).iterdir())


def _request(*texts: str) -> ExportRequest:
    return ExportRequest(file_id="f", source_key=SOURCE_KEY, srt=SRT.format(*texts), language="en-US")


def _packets(path: Path) -> tuple[list[Any], bytes]:
    """Times of the frames, and the bytes of the sound."""
    with av.open(str(path)) as opened:
        frames = sorted(packet.pts * packet.time_base for packet in opened.demux(video=0) if packet.pts is not None)
    with av.open(str(path)) as opened:
        return frames, b"".join(bytes(packet) for packet in opened.demux(audio=0))
