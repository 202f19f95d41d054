"""Publishes what the models can do to every process of the cluster.

The process that deploys the models writes it to the key-value table of the cluster's GCS, which ends with the cluster:
a new cluster lists no model until one is loaded. Ray has no public call for that table. A named actor would be public
but costs a process (80 MB, half a second of start). Calling the deployment would cost every reader the import of Ray
Serve, 0.85 s on the path of the first caption. `serve/tests/on_ray/test_transcriber.py` guards the calls used here.

The loaded model, the running download and each replica have one writer each.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import ray
from pydantic import TypeAdapter, ValidationError
from ray.exceptions import RayError
from ray.experimental import internal_kv

from cluster.stored_sentences import SentenceText
from serve.core.capability import Capability, ModelFetch, TaskStatus
from serve.core.messages import EngineInfo
from serve.core.replica_messages import ReplicaReport

_NAMESPACE = b"sagascript"
_LOADED, _FETCH, _STATUS = "loaded", "fetch", "status"
_COUNTS, _REPLICA = "replicas", "replica"
_PROFILE_PROBLEM = "profile-problem"

_INFO: TypeAdapter[EngineInfo] = TypeAdapter(EngineInfo)
_MODEL_FETCH: TypeAdapter[ModelFetch] = TypeAdapter(ModelFetch)
_TASK_STATUS: TypeAdapter[TaskStatus] = TypeAdapter(TaskStatus)
_REPLICA_COUNTS: TypeAdapter[dict[str, int]] = TypeAdapter(dict[str, int])
_SENTENCE: TypeAdapter[str] = TypeAdapter(SentenceText)
_REPLICA_REPORT: TypeAdapter[ReplicaReport] = TypeAdapter(ReplicaReport)

T = TypeVar("T")


class NotJoined(RayError):
    """This process has no cluster to publish to or read from."""


def publish_loaded(task: str, loaded: EngineInfo | None) -> None:
    """Publish what is loaded for a task; None when nothing is. Raises RayError when the cluster does not answer."""
    _publish(task, _LOADED, _INFO, loaded)


def publish_fetch(task: str, fetch: ModelFetch | None) -> None:
    """Publish what is being downloaded for a task; None when nothing is. Raises RayError."""
    _publish(task, _FETCH, _MODEL_FETCH, fetch)


def publish_status(task: str, status: TaskStatus | None) -> None:
    """Publish whether a task can be used; None where what is loaded says it. Raises RayError."""
    _publish(task, _STATUS, _TASK_STATUS, status)


def published(task: str) -> Capability:
    """What any process of the cluster published last. Raises RayError."""
    return Capability(
        task,
        _read(task, _LOADED, _INFO),
        _read(task, _FETCH, _MODEL_FETCH),
        _read(task, _STATUS, _TASK_STATUS),
    )


def publish_counts(task: str, counts: Mapping[str, int]) -> None:
    """Publish how many replicas of a task are `starting` and `stopping`. Raises RayError."""
    _publish(task, _COUNTS, _REPLICA_COUNTS, dict(counts))


def published_counts(task: str) -> dict[str, int]:
    return _read(task, _COUNTS, _REPLICA_COUNTS) or {}


def publish_profile_problem(task: str, problem: str) -> None:
    """Publish why the newest profile is not used for a task, as a sentence; "" while it is. Raises RayError."""
    _publish(task, _PROFILE_PROBLEM, _SENTENCE, problem or None)


def published_profile_problem(task: str) -> str:
    return _read(task, _PROFILE_PROBLEM, _SENTENCE) or ""


def publish_replica(task: str, report: ReplicaReport) -> None:
    """Publish what this replica uses. Raises RayError."""
    _publish(task, f"{_REPLICA}/{report.id}", _REPLICA_REPORT, report)


def remove_replica(task: str, replica_id: str) -> None:
    """Forget a replica that ended. Raises RayError."""
    _publish(task, f"{_REPLICA}/{replica_id}", _REPLICA_REPORT, None)


def published_replicas(task: str) -> list[ReplicaReport]:
    """The newest report of each replica, also of those that were killed since. Raises RayError."""
    _require_cluster()
    prefix = _key(task, f"{_REPLICA}/")
    names = [key.removeprefix(prefix).decode() for key in internal_kv._internal_kv_list(prefix, namespace=_NAMESPACE)]
    reports = (_read(task, f"{_REPLICA}/{name}", _REPLICA_REPORT) for name in names)
    return [report for report in reports if report is not None]


def _publish(task: str, part: str, adapter: TypeAdapter[Any], value: object | None) -> None:
    _require_cluster()
    if value is None:
        internal_kv._internal_kv_del(_key(task, part), namespace=_NAMESPACE)
    else:
        internal_kv._internal_kv_put(_key(task, part), adapter.dump_json(value), namespace=_NAMESPACE)


def _read(task: str, part: str, adapter: TypeAdapter[T]) -> T | None:
    _require_cluster()
    raw: bytes | None = internal_kv._internal_kv_get(_key(task, part), namespace=_NAMESPACE)
    if raw is None:
        return None
    try:
        return adapter.validate_json(raw)
    except ValidationError:
        # Another version of the product wrote it and is about to be replaced.
        return None


def _require_cluster() -> None:
    if not ray.is_initialized():
        raise NotJoined("This process has not joined a Ray cluster.")


def _key(task: str, part: str) -> bytes:
    return f"capability/{task}/{part}".encode()
