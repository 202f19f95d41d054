"""What types cannot say about our manifests. Each rule yields sentences, and none means that it holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from benchmarks.manifests.documents import Body, Document, Pod, pods
from benchmarks.manifests.references import dangling
from benchmarks.manifests.restricted import breaks_restricted_standard
from benchmarks.manifests.secrets import secrets_out_of_place

Rule = Callable[[list[Document]], Iterator[str]]


def one_name_each(documents: list[Document]) -> Iterator[str]:
    seen: set[tuple[str, str]] = set()
    for each in documents:
        if (each.kind, each.name) in seen:
            yield f"{each.title} is there twice"
        seen.add((each.kind, each.name))


def restricted(documents: list[Document]) -> Iterator[str]:
    for pod in pods(documents):
        yield from breaks_restricted_standard(pod)


def bounded_and_watched(documents: list[Document]) -> Iterator[str]:
    """Every container has limits of memory, and every one that runs for long has probes."""
    for pod in pods(documents):
        for container in pod.containers:
            title = f"{pod.title}: container {container['name']}"
            limits = container.get("resources", {}).get("limits", {})
            if "memory" not in limits:
                yield f"{title} has no limit of memory"
            if container["image"].rpartition(":")[2] in ("", "latest"):
                yield f"{title} names no version of its image"
            if _is_long(pod, container) and "livenessProbe" not in container:
                yield f"{title} has no livenessProbe"
            if _is_server(pod, container) and "readinessProbe" not in container:
                yield f"{title} has no readinessProbe"


def _is_long(pod: Pod, container: Body) -> bool:
    is_first = container in pod.spec.get("initContainers", [])
    is_job = pod.spec.get("restartPolicy") in ("OnFailure", "Never") and "ray" not in pod.component
    return container.get("restartPolicy") == "Always" if is_first else not is_job


def _is_server(pod: Pod, container: Body) -> bool:
    return bool(container.get("ports")) and _is_long(pod, container)


RULES: tuple[Rule, ...] = (one_name_each, restricted, bounded_and_watched, secrets_out_of_place, dangling)
