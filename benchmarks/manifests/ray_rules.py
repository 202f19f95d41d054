"""What must hold for the Ray part of the manifests beyond its types."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

import yaml
from jsonschema import Draft7Validator
from pydantic import ValidationError

from benchmarks.manifests.documents import Document
from benchmarks.manifests.ray_kinds import RayService, WorkerGroup, fields_that_differ
from serve.profile import BadProfile, Profile, load_profile
from serve.tasks.registry import TASKS

DECLARED = "serve.declared"
HEALTH = "health"


def ray_problems(documents: list[Document], profiles: Path) -> Iterator[str]:
    yield from fields_that_differ()
    for each in documents:
        if each.kind == "RayService":
            try:
                service = RayService.model_validate(each.body)
            except ValidationError as wrong:
                for error in wrong.errors():
                    yield f"{each.title}: {'.'.join(map(str, error['loc']))}: {error['msg']}"
                continue
            yield from (f"{each.title}: {problem}" for problem in _service(service, _profile(documents, profiles)))


def _profile(documents: list[Document], profiles: Path) -> Profile:
    """The profile in the ConfigMap, which the chart copied from one of its files. Raises BadProfile."""
    (text,) = [each.body["data"]["profile.yaml"] for each in documents if each.kind == "ConfigMap"]
    for path in sorted(profiles.glob("*.yaml")):
        if path.read_text().strip() == text.strip():
            return load_profile(str(path))
    raise BadProfile("The ConfigMap holds none of the chart's profiles.")


def _service(service: RayService, profile: Profile) -> Iterator[str]:
    cluster = service.spec.ray_cluster_config
    installed = metadata.version("ray")
    if cluster.ray_version != installed:
        yield f"rayVersion is {cluster.ray_version}, but the images hold {installed}"
    if cluster.head_group_spec.ray_start_params.get("num-cpus") != "0":
        yield "the head must offer no slot (num-cpus: “0”)"
    if cluster.enable_in_tree_autoscaling and cluster.autoscaler_options is None:
        yield "autoscaling without autoscalerOptions"
    for group in cluster.worker_group_specs:
        yield from _group(group)
    yield from _applications(service.spec.serve_config, profile)
    yield from _room(cluster.worker_group_specs, profile)


def _group(group: WorkerGroup) -> Iterator[str]:
    if not group.min_replicas <= group.replicas <= group.max_replicas:
        yield f"group {group.group_name}: replicas are not between minReplicas and maxReplicas"
    (container,) = group.template["spec"]["containers"]
    gpus = str(container["resources"].get("limits", {}).get("nvidia.com/gpu", 0))
    offered = group.ray_start_params.get("num-gpus", "0")
    # Helm prints a number from a list of values as a float.
    if float(gpus) != float(offered):
        yield f"group {group.group_name}: Ray offers {offered} GPUs, and the container gets {gpus}"
    if float(offered) and group.ray_start_params.get("num-cpus") != "0":
        yield f"group {group.group_name}: a GPU node must offer no slot, or media would be decoded beside a model"


def _applications(config: dict[str, Any], profile: Profile) -> Iterator[str]:
    tasks = {each.task.name: each for each in TASKS}
    declared = {each["name"]: each for each in config["applications"]}
    for name, application in declared.items():
        if name != HEALTH and name not in tasks:
            yield f"there is no task {name}"
        elif name != HEALTH and profile.section(name) is None:
            yield f"the profile “{profile.name}” has no section “{name}”"
        if application["import_path"] != f"{DECLARED}:{name}":
            yield f"application {name} must be made by {DECLARED}:{name}"
        if (application["route_prefix"] is not None) != (name == HEALTH):
            yield f"application {name}: only {HEALTH} answers over HTTP"
    if HEALTH not in declared:
        yield f"without the application {HEALTH} KubeRay never counts the service as ready"
    yield from (f"task {name} is required" for name, each in tasks.items() if each.is_required and name not in declared)


def _room(groups: list[WorkerGroup], profile: Profile) -> Iterator[str]:
    """Replicas of all tasks must fit on the fewest nodes there may be."""
    sections = [section for each in TASKS if (section := profile.section(each.task.name)) is not None]
    for what, parameter, needed in (
        ("GPUs", "num-gpus", sum(section.num_gpus * section.replicas for section in sections)),
        ("slots", "num-cpus", sum(section.slots * section.replicas for section in sections)),
    ):
        least = sum(group.min_replicas * float(group.ray_start_params.get(parameter, "0")) for group in groups)
        if needed > least:
            yield f"the models need {needed:g} {what}, and the fewest nodes offer {least:g}"


def ray_up_problems(path: Path) -> Iterator[str]:
    """A `ray up` file against the schema that comes with Ray."""
    schema = json.loads(
        Path(str(metadata.distribution("ray").locate_file("ray/autoscaler/ray-schema.json"))).read_text()
    )
    config = yaml.safe_load(path.read_text())
    for error in Draft7Validator(schema).iter_errors(config):
        yield f"{path.name}: {'.'.join(map(str, error.absolute_path))}: {error.message}"
    for name, node in config.get("available_node_types", {}).items():
        resources = node["resources"]
        if resources.get("GPU") and resources.get("CPU"):
            yield f"{path.name}: {name}: a GPU node must offer no slot"
