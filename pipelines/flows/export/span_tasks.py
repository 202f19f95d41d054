"""Spreads the parts of an export over the slots that are free in a cluster.

Spans are short, so that slots soon return to other people's work. The attempt that sends them stays the only one who
knows the whole: it looks into storage for what the others have finished, and encodes what they lose.
"""

from __future__ import annotations

import shutil
import sys
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import structlog

from cluster.logs.context import start_log_context
from cluster.logs.logging import configure_logging
from cluster.resources import MEDIA_TASK_CPUS, cores
from cluster.settings import get_cluster_settings
from cluster.storage.opening import open_storage
from pipelines.flows.export.span_orders import SpanOrder, encode_order
from pipelines.media.export.frame_index import Part
from pipelines.media.ffmpeg import MAX_THREADS
from pipelines.messages.attempt import Attempt

log = structlog.get_logger(__name__)

SPAN_FRAMES = 1_800
"""A minute of film: half a minute of work for one process."""


@dataclass(frozen=True, slots=True)
class _Sent:
    reference: Any
    node: str
    note: str
    span: list[Part]


class RemoteSpans:
    """The spans of one export that other workers encode. Closing it cancels them all."""

    def __init__(self, order: SpanOrder, attempt: Attempt) -> None:
        self._order = order
        self._attempt = attempt
        self._sent: list[_Sent] = []
        self._shared: Any = None
        self._without: set[str] = set()

    @property
    def is_busy(self) -> bool:
        self._drop_ended()
        return bool(self._sent)

    @property
    def numbers(self) -> list[int]:
        """The parts that others are at."""
        return [part.number for sent in self._sent for part in sent.span]

    def spans_wanted(self, parts: Sequence[Part]) -> int:
        """Into how many spans to cut: one where nobody else can take any."""
        if not self._free_nodes():
            return 1
        return max(1, sum(part.frames for part in parts) // SPAN_FRAMES)

    def take(self, waiting: list[list[Part]]) -> None:
        """Send spans from the end of `waiting` to nodes with a free slot. The caller works from its start."""
        self._drop_ended()
        if not waiting:
            return
        for node in self._free_nodes():
            if not waiting:
                return
            self._send(waiting.pop(), node)

    def take_back(self) -> list[list[Part]]:
        """Cancel spans that have not started, and return them."""
        from cluster.ray import notes

        late = [sent for sent in self._sent if notes.read(sent.note) is None]
        for sent in late:
            self._cancel(sent)
        self._sent = [sent for sent in self._sent if sent not in late]
        return [sent.span for sent in late]

    def close(self) -> None:
        for sent in self._sent:
            self._cancel(sent)
        self._sent = []

    def _send(self, span: list[Part], node: str) -> None:
        import ray
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        if self._shared is None:
            self._shared = ray.put(self._order)
        note = f"span/{self._attempt.job_id}/{self._attempt.fence}/{uuid.uuid4().hex}"
        task = _remote().options(scheduling_strategy=NodeAffinitySchedulingStrategy(node, soft=False))
        reference = task.remote(self._shared, span, self._attempt.job_id, note)
        self._sent.append(_Sent(reference, node, note, span))

    def _drop_ended(self) -> None:
        if not self._sent:
            return
        import ray

        ended, _ = ray.wait([sent.reference for sent in self._sent], num_returns=len(self._sent), timeout=0)
        for reference in ended:
            try:
                ray.get(reference)
            except Exception as error:
                # The caller finds the parts missing and encodes them itself. Another span would fail there too.
                self._without.update(sent.node for sent in self._sent if sent.reference == reference)
                log.warning("export.span_lost", job_id=self._attempt.job_id, error=str(error)[:500])
        self._sent = [sent for sent in self._sent if sent.reference not in ended]

    def _cancel(self, sent: _Sent) -> None:
        import ray

        from cluster.ray import notes

        ray.cancel(sent.reference, force=True)
        notes.remove(sent.note)

    def _free_nodes(self) -> list[str]:
        """A node's id for each span that may be sent now: one process fills `MAX_THREADS` cores of a node."""
        if "ray" not in sys.modules:
            return []
        import ray

        if not ray.is_initialized():
            return []
        from cluster.ray.nodes import read_nodes

        context = ray.get_runtime_context()
        here = context.get_node_id()
        free: list[str] = []
        for node in read_nodes(context.gcs_address):
            sent = sum(1 for each in self._sent if each.node == node.id)
            processes = max(1, int(node.total) // MAX_THREADS)
            if node.id == here:
                processes = cores() // MAX_THREADS - 1
            if node.id not in self._without and not node.is_leaving and node.free >= MEDIA_TASK_CPUS:
                free += [node.id] * max(0, min(int(node.free), processes - sent))
        return free


@lru_cache(maxsize=1)
def _remote() -> Any:
    import ray

    return ray.remote(num_cpus=MEDIA_TASK_CPUS, max_retries=0)(_span_task)


def _span_task(order: SpanOrder, span: list[Part], job_id: str, note: str) -> None:
    """Encode one span in a process of its own, from its own copy of the original."""
    from cluster.ray import notes

    configure_logging("task")
    start_log_context(job_id=job_id)
    notes.leave(note, "started")
    settings = get_cluster_settings()
    storage = open_storage(settings)
    folder = settings.work_root / job_id / f"span-{uuid.uuid4().hex}"
    folder.mkdir(parents=True)
    try:
        with storage.local_copy(order.source_key, folder) as path:
            if path.stat().st_size != order.facts.size_bytes:
                raise FileNotFoundError(f"{order.source_key} is another file on this node")
            encode_order(order, span, path, folder / "parts", storage)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        notes.remove(note)
