"""What our `RayService` may say, as types: the part of `ray.io/v1` that we use, and nothing else.

`kuberay-fields.json` holds the names and types of the resource definitions of KubeRay at the commit it names;
`fields_that_differ` compares these classes with it.
"""

from __future__ import annotations

import json
import types
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import yaml
from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from benchmarks.manifests.kubernetes_kinds import pod_template, security_context

FIELDS = Path(__file__).with_name("kuberay-fields.json")

PodTemplate = Annotated[dict[str, Any], AfterValidator(pod_template)]
SecurityContext = Annotated[dict[str, Any], AfterValidator(security_context)]
Strings = dict[str, str]


class RayKind(BaseModel):
    model_config = ConfigDict(extra="forbid", alias_generator=to_camel, strict=True)


class SecretKey(RayKind):
    name: str
    key: str


class SecretSource(RayKind):
    secret_key_ref: SecretKey


class RedisPassword(RayKind):
    value_from: SecretSource


class FaultTolerance(RayKind):
    backend: Literal["redis"]
    redis_address: str = Field(pattern=r"^rediss?://[^/]+:\d+$")
    redis_password: RedisPassword


class AuthOptions(RayKind):
    mode: Literal["token"]
    secret_name: str


class Resources(RayKind):
    requests: Strings
    limits: Strings


class AutoscalerOptions(RayKind):
    version: Literal["v2"]
    upscaling_mode: Literal["Default", "Aggressive", "Conservative"]
    idle_timeout_seconds: int = Field(gt=0)
    resources: Resources
    security_context: SecurityContext


class HeadGroup(RayKind):
    ray_start_params: Strings
    template: PodTemplate


class WorkerGroup(RayKind):
    group_name: str
    replicas: int = Field(ge=0)
    min_replicas: int = Field(ge=0)
    max_replicas: int = Field(ge=1)
    idle_timeout_seconds: int
    ray_start_params: Strings
    template: PodTemplate


class RayClusterSpec(RayKind):
    ray_version: str
    auth_options: AuthOptions
    gcs_fault_tolerance_options: FaultTolerance
    enable_in_tree_autoscaling: bool
    autoscaler_options: AutoscalerOptions | None = None
    head_group_spec: HeadGroup
    worker_group_specs: list[WorkerGroup]


class UpgradeStrategy(RayKind):
    type: Literal["NewCluster"]


class RayServiceSpec(RayKind):
    upgrade_strategy: UpgradeStrategy
    ray_cluster_deletion_delay_seconds: int
    deployment_unhealthy_second_threshold: int
    service_unhealthy_second_threshold: int
    serve_config_v2: str = Field(alias="serveConfigV2")
    ray_cluster_config: RayClusterSpec

    @property
    def serve_config(self) -> dict[str, Any]:
        config: dict[str, Any] = yaml.safe_load(self.serve_config_v2)
        return config


class Metadata(RayKind):
    name: str
    labels: Strings = {}
    namespace: str | None = None


class RayService(RayKind):
    api_version: Literal["ray.io/v1"]
    kind: Literal["RayService"]
    metadata: Metadata
    spec: RayServiceSpec


_JSON_TYPES: dict[Any, str] = {str: "string", int: "integer", bool: "boolean", dict: "object", list: "array"}


def fields_that_differ(kind: type[BaseModel] = RayService) -> list[str]:
    """Fields of our classes that the resource definition lacks or gives another type."""
    return list(_differences(kind, _definitions()["RayService"], "RayService"))


@cache
def _definitions() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(FIELDS.read_text())["kinds"]
    return found


def _differences(kind: type[BaseModel], definition: dict[str, Any], path: str) -> list[str]:
    problems: list[str] = []
    known = definition.get("properties")
    if known is None:
        # The file leaves Kubernetes' own metadata out.
        return problems
    for field in kind.model_fields.values():
        name = field.alias or ""
        if name not in known:
            problems.append(f"{path}.{name} is no field of the resource definition")
            continue
        for annotation in _alternatives(field.annotation):
            problems += _type_differences(annotation, known[name], f"{path}.{name}")
    required = {field.alias for field in kind.model_fields.values() if field.is_required()}
    problems += [f"{path}.{name} is required" for name in definition.get("required", []) if name not in required]
    return problems


def _type_differences(annotation: Any, definition: dict[str, Any], path: str) -> list[str]:
    origin = get_origin(annotation) or annotation
    if isinstance(origin, type) and issubclass(origin, BaseModel):
        return _differences(origin, definition, path)
    if origin is Literal:
        allowed = definition.get("enum")
        return [f"{path} cannot be {value}" for value in get_args(annotation) if allowed and value not in allowed]
    if origin is list:
        (inner,) = get_args(annotation)
        return _type_differences(inner, definition.get("items", {}), f"{path}[]")
    expected = definition.get("type")
    if expected is not None and _JSON_TYPES.get(origin) != expected:
        return [f"{path} is {expected} there"]
    return []


def _alternatives(annotation: Any) -> list[Any]:
    if get_origin(annotation) in (Union, types.UnionType):
        return [each for each in get_args(annotation) if each is not type(None)]
    return [annotation]
