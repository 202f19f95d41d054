"""Publishes what the models can do to every process of the cluster.

The process that deploys the models writes it to the key-value table of the cluster's GCS, which ends with the cluster:
a new cluster lists no model until one is loaded. Ray has no public call for that table. A named actor would be public
but costs a process (80 MB, half a second of start). Calling the deployment would cost every reader the import of Ray
Serve, 0.85 s on the path of the first caption. `serve/tests/test_cluster.py` guards the calls used here.

The loaded model and the running download have one writer each.
"""

from __future__ import annotations

from typing import Any, TypeVar

import ray
from pydantic import TypeAdapter, ValidationError
from ray.exceptions import RayError
from ray.experimental import internal_kv

from serve.capability import Capability, ModelFetch, TaskStatus
from serve.messages import EngineInfo

_NAMESPACE = b"sagascript"
_LOADED, _FETCH, _STATUS = "loaded", "fetch", "status"

_INFO: TypeAdapter[EngineInfo] = TypeAdapter(EngineInfo)
_MODEL_FETCH: TypeAdapter[ModelFetch] = TypeAdapter(ModelFetch)
_TASK_STATUS: TypeAdapter[TaskStatus] = TypeAdapter(TaskStatus)

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
