"""Kubernetes objects against the types of their API, which come with `lightkube-models`.

Loading such a type ignores what it does not know, so every name is compared here, at every depth.
"""

from __future__ import annotations

import types
from functools import lru_cache
from typing import Any, Union, get_args, get_origin

import msgspec
from lightkube.models import apps_v1, autoscaling_v2, batch_v1, core_v1, networking_v1, policy_v1

from benchmarks.manifests.documents import Body, Document

KINDS: dict[tuple[str, str], type[Any]] = {
    ("apps/v1", "Deployment"): apps_v1.Deployment,
    ("autoscaling/v2", "HorizontalPodAutoscaler"): autoscaling_v2.HorizontalPodAutoscaler,
    ("batch/v1", "Job"): batch_v1.Job,
    ("networking.k8s.io/v1", "Ingress"): networking_v1.Ingress,
    ("networking.k8s.io/v1", "NetworkPolicy"): networking_v1.NetworkPolicy,
    ("policy/v1", "PodDisruptionBudget"): policy_v1.PodDisruptionBudget,
    ("v1", "ConfigMap"): core_v1.ConfigMap,
    ("v1", "Namespace"): core_v1.Namespace,
    ("v1", "PersistentVolumeClaim"): core_v1.PersistentVolumeClaim,
    ("v1", "Service"): core_v1.Service,
}


def kind_problems(document: Document) -> list[str]:
    version = str(document.body.get("apiVersion"))
    kind = KINDS.get((version, document.kind))
    if kind is None:
        return [f"{document.title}: {version} is not among the kinds that we check"]
    return [f"{document.title}: {problem}" for problem in problems(document.body, kind)]


def pod_template(template: Body) -> Body:
    """For a field of ours that holds one. Raises ValueError."""
    return _valid(template, core_v1.PodTemplateSpec)


def security_context(context: Body) -> Body:
    return _valid(context, core_v1.SecurityContext)


def problems(value: Any, kind: Any, path: str = "") -> list[str]:
    """Names that the type does not have, values of another type, and required fields that are missing."""
    kinds = _alternatives(kind)
    if len(kinds) > 1:
        found = [problems(value, each, path) for each in kinds]
        return min(found, key=len)
    (only,) = kinds
    if isinstance(only, type) and issubclass(only, msgspec.Struct):
        return _object_problems(value, only, path)
    origin = get_origin(only) or only
    if origin is list:
        if not isinstance(value, list):
            return [f"{path} must be a list"]
        return [each for n, item in enumerate(value) for each in problems(item, get_args(only)[0], f"{path}[{n}]")]
    if origin is dict:
        if not isinstance(value, dict):
            return [f"{path} must be a map"]
        inner = get_args(only)[1] if get_args(only) else Any
        return [each for key, item in value.items() for each in problems(item, inner, f"{path}.{key}")]
    if only is Any or origin is object:
        return []
    if origin in (str, int, float, bool):
        # A bool is an int in Python, but not in YAML.
        fits = isinstance(value, origin) and (origin is bool or not isinstance(value, bool))
        return [] if fits else [f"{path} must be {origin.__name__}, not {value!r}"]
    return []


def _object_problems(value: Any, kind: type[msgspec.Struct], path: str) -> list[str]:
    if not isinstance(value, dict):
        return [f"{path} must be an object of type {kind.__name__}"]
    fields = _fields(kind)
    found = [f"{path}.{name} is no field of {kind.__name__}" for name in value if name not in fields]
    for name, field in fields.items():
        if name in value:
            found += problems(value[name], field.type, f"{path}.{name}")
        elif field.required:
            found.append(f"{path}.{name} is missing")
    return found


@lru_cache
def _fields(kind: type[msgspec.Struct]) -> dict[str, msgspec.structs.FieldInfo]:
    """By their names in YAML: `from` is `from_` in Python."""
    return {field.encode_name: field for field in msgspec.structs.fields(kind)}


def _alternatives(kind: Any) -> tuple[Any, ...]:
    if get_origin(kind) in (Union, types.UnionType):
        return tuple(each for each in get_args(kind) if each is not type(None))
    return (kind,)


def _valid(value: Body, kind: type[Any]) -> Body:
    if found := problems(value, kind):
        raise ValueError("; ".join(found))
    return value
