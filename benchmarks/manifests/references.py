"""What one object says about another: selectors, ports, claims, volumes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from benchmarks.manifests.documents import Body, Document, Pod, pods


def dangling(documents: list[Document]) -> Iterator[str]:
    """Selectors that match no pod, names of objects that are not there, mounts without a volume."""
    templates = list(pods(documents))
    named = {(each.kind, each.name) for each in documents}
    for each in documents:
        for where, selector in _selectors(each):
            # A policy may cover a component that these values leave out, but not only such ones.
            if not any(_matches(selector, pod.labels) for pod in templates):
                yield f"{each.title}: {where} matches no pod"
        if each.kind == "Service":
            yield from _ports(each, templates)
        if each.kind == "Ingress":
            yield from _backends(each, named)
        if each.kind == "HorizontalPodAutoscaler":
            target = each.body["spec"]["scaleTargetRef"]
            if (target["kind"], target["name"]) not in named:
                yield f"{each.title}: there is no {target['kind']} {target['name']}"
    for pod in templates:
        yield from _volumes(pod, named)


def _selectors(document: Document) -> Iterator[tuple[str, Body]]:
    spec = document.body.get("spec", {})
    if document.kind == "Service":
        yield "selector", {"matchLabels": spec["selector"]}
    elif document.kind in ("Deployment", "PodDisruptionBudget"):
        yield "selector", spec["selector"]
    elif document.kind == "NetworkPolicy":
        yield "podSelector", spec["podSelector"]
        for direction, key in (("ingress", "from"), ("egress", "to")):
            for rule in spec.get(direction, []):
                if not rule.get(key):
                    yield f"{direction} rule without “{key}”, which opens it to everybody,", {"matchLabels": {"": ""}}
                for peer in rule.get(key, []):
                    if set(peer) == {"podSelector"}:
                        yield direction, peer["podSelector"]


def _matches(selector: Body, labels: dict[str, str]) -> bool:
    exact: dict[str, str] = selector.get("matchLabels", {})
    if any(labels.get(name) != value for name, value in exact.items()):
        return False
    return all(_fits(rule, labels) for rule in selector.get("matchExpressions", []))


def _fits(rule: dict[str, Any], labels: dict[str, str]) -> bool:
    assert rule["operator"] == "In", rule
    return labels.get(rule["key"]) in rule["values"]


def _ports(service: Document, templates: list[Pod]) -> Iterator[str]:
    selector = {"matchLabels": service.body["spec"]["selector"]}
    for port in service.body["spec"]["ports"]:
        target = port.get("targetPort", port["port"])
        for pod in templates:
            if _matches(selector, pod.labels):
                open_ports = [each for container in pod.containers for each in container.get("ports", [])]
                if not any(target in (each.get("name"), each["containerPort"]) for each in open_ports):
                    yield f"{service.title}: {pod.title} has no port {target}"


def _backends(ingress: Document, named: set[tuple[str, str]]) -> Iterator[str]:
    for rule in ingress.body["spec"]["rules"]:
        for path in rule["http"]["paths"]:
            name = path["backend"]["service"]["name"]
            if ("Service", name) not in named:
                yield f"{ingress.title}: there is no Service {name}"


def _volumes(pod: Pod, named: set[tuple[str, str]]) -> Iterator[str]:
    volumes = {volume["name"]: volume for volume in pod.spec.get("volumes", [])}
    for volume in volumes.values():
        for key, kind, field in (
            ("persistentVolumeClaim", "PersistentVolumeClaim", "claimName"),
            ("configMap", "ConfigMap", "name"),
        ):
            if key in volume and (kind, volume[key][field]) not in named:
                yield f"{pod.title}: there is no {kind} {volume[key][field]}"
    mounted = {mount["name"] for container in pod.containers for mount in container.get("volumeMounts", [])}
    yield from (f"{pod.title}: there is no volume {name}" for name in sorted(mounted - set(volumes)))
    yield from (f"{pod.title}: nobody mounts volume {name}" for name in sorted(set(volumes) - mounted))
