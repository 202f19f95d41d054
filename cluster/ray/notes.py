"""Short notes that one process of the cluster leaves for another, by name.

They live in the key-value table of Ray's GCS and end with the cluster. Ray has no public call for that table; a named
actor would be public but costs a process. `api/tests/jobs/nodes/test_drain.py` guards the calls used here. The caller
has joined Ray. Every function raises RayError when the cluster does not answer.
"""

from __future__ import annotations

from ray.experimental import internal_kv

_NAMESPACE = b"sagascript-notes"


def leave(name: str, text: str) -> None:
    internal_kv._internal_kv_put(name.encode(), text.encode(), namespace=_NAMESPACE)


def read(name: str) -> str | None:
    raw: bytes | None = internal_kv._internal_kv_get(name.encode(), namespace=_NAMESPACE)
    return None if raw is None else raw.decode()


def remove(name: str) -> None:
    internal_kv._internal_kv_del(name.encode(), namespace=_NAMESPACE)
