"""The manifests hold, and every rule notices the mistake it is there for."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from benchmarks.manifests.check import all_problems, manifest_problems
from benchmarks.manifests.documents import Body, Document, pods, read_documents
from benchmarks.manifests.ray_kinds import RayKind, fields_that_differ
from benchmarks.manifests.ray_rules import ray_up_problems
from benchmarks.manifests.render import RENDERED, ROOT, VARIANTS, can_render, render

DOCUMENTS = read_documents(RENDERED / "gpu.yaml")


def test_all_that_is_kept_holds() -> None:
    assert all_problems() == []


@pytest.mark.long
@pytest.mark.skipif(not can_render(), reason="needs Helm, or Go and sprig")
@pytest.mark.parametrize("variant", VARIANTS)
def test_the_chart_renders_to_what_is_kept(variant: str) -> None:
    kept = (RENDERED / f"{variant}.yaml").read_text()
    assert list(yaml.safe_load_all(render(VARIANTS[variant]))) == list(yaml.safe_load_all(kept))


def changed(kind: str, name: str, change: Callable[[Body], object]) -> list[str]:
    documents = [Document(each.file, copy.deepcopy(each.body)) for each in DOCUMENTS]
    (found,) = [each for each in documents if (each.kind, each.name) == (kind, name)]
    change(found.body)
    return manifest_problems(documents)


def pod_of(body: Body) -> Body:
    spec: Body = body["spec"]["template"]["spec"]
    return spec


def first(body: Body) -> Body:
    container: Body = pod_of(body)["containers"][0]
    return container


def cluster(body: Body) -> Body:
    config: Body = body["spec"]["rayClusterConfig"]
    return config


def gpu_container(body: Body) -> Body:
    container: Body = cluster(body)["workerGroupSpecs"][1]["template"]["spec"]["containers"][0]
    return container


def secret(name: str) -> Body:
    return {"name": name, "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}}


API, RELAY, RAY = ("Deployment", "sagascript-api"), ("Deployment", "sagascript-relay"), ("RayService", "sagascript")


@pytest.mark.long
@pytest.mark.parametrize(
    ("kind", "name", "change", "words"),
    [
        (*API, lambda body: body["spec"].update(replica=2), ".spec.replica is no field of DeploymentSpec"),
        (*API, lambda body: body["spec"].update(replicas="2"), ".spec.replicas must be int"),
        (*API, lambda body: pod_of(body).pop("containers"), ".containers is missing"),
        (*API, lambda body: first(body).update(livenessProb={}), "livenessProb is no field of Container"),
        (*API, lambda body: first(body).pop("livenessProbe"), "has no livenessProbe"),
        (*API, lambda body: first(body).pop("resources"), "no limit of memory"),
        (*API, lambda body: first(body).update(image="sagascript-api:latest"), "no version of its image"),
        (*API, lambda body: first(body)["securityContext"].update(privileged=True), "must not be privileged"),
        (*API, lambda body: first(body)["securityContext"].pop("capabilities"), "drop all capabilities"),
        (*API, lambda body: pod_of(body)["securityContext"].pop("runAsNonRoot"), "runAsNonRoot"),
        (*API, lambda body: pod_of(body).update(hostNetwork=True), "hostNetwork is forbidden"),
        (*API, lambda body: pod_of(body)["volumes"].append({"name": "x", "hostPath": {"path": "/"}}), "forbidden type"),
        (*API, lambda body: first(body)["env"].append({"name": "SAGASCRIPT_NEW", "value": "1"}), "no setting"),
        (*API, lambda body: first(body).update(envFrom=[{"secretRef": {"name": "all"}}]), "takes every key"),
        (*API, lambda body: first(body)["ports"].clear(), "has no port http"),
        ("Service", "sagascript-api", lambda body: body["spec"]["selector"].update(a="b"), "matches no pod"),
        (*RELAY, lambda body: first(body)["env"].append(secret("SAGASCRIPT_DATA_KEY")), "must not hold"),
        (*RAY, lambda body: gpu_container(body)["env"].append(secret("SAGASCRIPT_DATABASE_URL")), "must not hold"),
        (*RAY, lambda body: gpu_container(body)["env"].append(secret("STRIPE_KEY")), "is a Ray node and must not hold"),
        (*RAY, lambda body: cluster(body).update(rayVersion="2.9.0"), "but the images hold"),
        (*RAY, lambda body: cluster(body).update(headGroup={}), "Extra inputs are not permitted"),
        (*RAY, lambda body: cluster(body)["headGroupSpec"]["rayStartParams"].update({"num-cpus": "4"}), "no slot"),
        (*RAY, lambda body: cluster(body)["workerGroupSpecs"][1]["rayStartParams"].update({"num-cpus": "8"}), "slot"),
        (*RAY, lambda body: cluster(body)["workerGroupSpecs"][1].update(minReplicas=0, replicas=0), "need 0.8 GPUs"),
        (*RAY, lambda body: gpu_container(body)["resources"]["limits"].pop("nvidia.com/gpu"), "Ray offers 1 GPUs"),
        (*RAY, lambda body: gpu_container(body).update(imagePullPolicies="x"), "no field of Container"),
        (*RAY, lambda body: body["spec"].update(serveConfigV2="{applications: []}"), "task transcription is required"),
        ("NetworkPolicy", "sagascript-ray", lambda body: body["spec"]["ingress"][0].pop("from"), "to everybody"),
        ("Ingress", "sagascript-pages", lambda body: None, ""),
    ],
)  # fmt: skip
def test_a_mistake_is_told(kind: str, name: str, change: Callable[[Body], object], words: str) -> None:
    found = changed(kind, name, change)
    assert any(words in problem for problem in found) if words else found == [], found


def test_only_fields_of_the_resource_definition_are_typed() -> None:
    class Wrong(RayKind):
        api_version: int
        cluster: str

    assert fields_that_differ() == []
    assert fields_that_differ(Wrong) == [
        "RayService.apiVersion is string there",
        "RayService.cluster is no field of the resource definition",
    ]


def test_no_ray_node_holds_a_secret_of_the_control_plane() -> None:
    nodes = [
        (pod, container)
        for pod in pods(DOCUMENTS)
        for container in pod.containers
        if pod.component.startswith("ray-") or container["name"] == "ray-node"
    ]
    assert {pod.component for pod, _ in nodes} == {"ray-head", "ray-cpu", "ray-gpu", "dispatcher", "models"}
    held = {each["name"] for _, container in nodes for each in container["env"] if "secretKeyRef" in str(each)}
    assert held == {"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "RAY_AUTH_TOKEN"}


def test_a_machine_with_a_gpu_offers_no_slot_under_ray_up(tmp_path: Path) -> None:
    config = yaml.safe_load((ROOT / "ray-up/aws.yaml").read_text())
    config["available_node_types"]["gpu"]["resources"]["CPU"] = 8
    config["max_worker"] = 1
    path = tmp_path / "aws.yaml"
    path.write_text(yaml.safe_dump(config))
    first_problem, second = ray_up_problems(path)
    assert "max_worker" in first_problem
    assert second == "aws.yaml: gpu: a GPU node must offer no slot"
