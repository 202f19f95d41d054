"""Where the process that deploys the models leaves what they can do, and where others of the cluster read it.

It lives in the key-value table of the cluster's GCS and ends with the cluster: one that starts anew knows no model
until one is loaded. Ray offers no public call for that table. A named actor would be public and costs a process (80 MB,
half a second of start); calling the deployment would cost every reader the import of Ray Serve, 0.85 s on the path of
the first caption. `serve/tests/test_cluster.py` guards the calls used here.

Each part has one writer: what is loaded, and what is being fetched.
"""

from __future__ import annotations

from typing import Any, TypeVar

import ray
from pydantic import TypeAdapter, ValidationError
from ray.exceptions import RayError
from ray.experimental import internal_kv

from serve.capability import Capability, ModelFetch
from serve.messages import EngineInfo

_NAMESPACE = b"sagascript"
_LOADED, _FETCH = "loaded", "fetch"

_INFO: TypeAdapter[EngineInfo] = TypeAdapter(EngineInfo)
_MODEL_FETCH: TypeAdapter[ModelFetch] = TypeAdapter(ModelFetch)

T = TypeVar("T")


class NotJoined(RayError):
    """There is no cluster to tell or to read from."""


def publish_loaded(task: str, loaded: EngineInfo | None) -> None:
    """Tell what is loaded for a task; None when nothing is. Raises RayError when the cluster does not answer."""
    _publish(task, _LOADED, _INFO, loaded)


def publish_fetch(task: str, fetch: ModelFetch | None) -> None:
    """Tell what is being downloaded for a task; None when nothing is. Raises RayError."""
    _publish(task, _FETCH, _MODEL_FETCH, fetch)


def published(task: str) -> Capability:
    """What was last told, by any process of the cluster. Raises RayError."""
    return Capability(task, _read(task, _LOADED, _INFO), _read(task, _FETCH, _MODEL_FETCH))


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
        # Written by another version of the product, which is about to be replaced.
        return None


def _require_cluster() -> None:
    if not ray.is_initialized():
        raise NotJoined("This process has not joined a Ray cluster.")


def _key(task: str, part: str) -> bytes:
    return f"capability/{task}/{part}".encode()
