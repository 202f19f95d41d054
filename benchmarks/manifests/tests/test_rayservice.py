"""What the RayService declares runs on a real cluster, and `sagascript cluster check` tells how it is."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
from ray import serve as ray_serve
from ray.serve import context as serve_context
from ray.serve.schema import ServeDeploySchema

import serve.declared
from benchmarks.manifests.documents import read_documents
from benchmarks.manifests.ray_kinds import RayService
from benchmarks.manifests.render import CHART, RENDERED, VARIANTS
from cluster.doctor import can_work
from cluster.settings import ClusterSettings
from cluster.testing.patience import PATIENCE_S
from cluster.testing.ports import free_port
from cluster.testing.ray_cluster import ray_cluster
from serve.application import shutdown
from serve.check import check_applications, check_room
from serve.core.capability import TaskState
from serve.core.sentences import NOT_DECLARED
from serve.core.settings import ModelSettings
from serve.profile import load_profile
from serve.task_watch import TaskWatch
from serve.tasks.diarization.profile import DiarizationProfile
from serve.tasks.registry import deployment_of
from serve.tasks.transcription.profile import TranscriptionProfile


def declared(variant: str) -> dict[str, Any]:
    (service,) = [each for each in read_documents(RENDERED / f"{variant}.yaml") if each.kind == "RayService"]
    return RayService.model_validate(service.body).spec.serve_config


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ClusterSettings]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SAGASCRIPT_PROFILE", "embedded")
        with ray_cluster(tmp_path_factory.mktemp("installation")) as settings:
            yield settings
            shutdown()


def check(settings: ClusterSettings, **env: str) -> tuple[int, dict[str, dict[str, str]]]:
    """Exit code and findings by name, of the command as an operator runs it."""
    done = subprocess.run(
        [sys.executable, "-m", "api.main", "cluster", "check", "--json"],
        env={**os.environ, "SAGASCRIPT_DATA_DIR": str(settings.data_dir), **env},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    return done.returncode, {each["name"]: each for each in json.loads(done.stdout)}


@pytest.mark.parametrize("variant", VARIANTS)
def test_serve_accepts_what_is_declared(variant: str) -> None:
    for application in ServeDeploySchema.model_validate(declared(variant)).applications:
        module, _, function = str(application.import_path).partition(":")
        assert module == serve.declared.__name__
        assert callable(getattr(serve.declared, function))


@pytest.mark.long
@pytest.mark.parametrize(
    ("variant", "engines"), [("gpu", {"whisper", "sherpa"}), ("gpu-torch", {"whisper_torch", "pyannote"})]
)
def test_gpu_nodes_have_the_image_of_their_engines(variant: str, engines: set[str]) -> None:
    """torch's CUDA and CTranslate2's cannot be in one image, so a profile and its image belong together."""
    (service,) = [each for each in read_documents(RENDERED / f"{variant}.yaml") if each.kind == "RayService"]
    (workers,) = [
        each for each in service.body["spec"]["rayClusterConfig"]["workerGroupSpecs"] if each["groupName"] == "gpu"
    ]
    (container,) = workers["template"]["spec"]["containers"]
    assert container["image"].partition(":")[0] == f"sagascript-{variant}"
    profile = load_profile(str(CHART / "profiles" / f"{variant}.yaml"))
    speech, speakers = profile.require(TranscriptionProfile), profile.require(DiarizationProfile)
    assert {speech.engine, speakers.engine} == engines
    # Nothing keeps a share of a GPU that it does not use.
    assert (speakers.num_gpus > 0) == (speakers.device == "cuda")


@pytest.mark.long
def test_a_declared_cluster_runs_and_is_checked(cluster: ClusterSettings) -> None:
    code, found = check(cluster)
    assert code == 1
    assert found["transcription model"]["state"] == "missing"
    assert "sagascript serve" in found["transcription model"]["sentence"]
    for name in ("Ray", "nodes", "versions", "clocks", "slots", "storage", "storage on nodes", "work folder"):
        assert found[name]["state"] == "ok", found[name]
    assert found["model cache"]["state"] == "warn"

    config = declared("cpu")
    config["applications"] = [each for each in config["applications"] if each["name"] != "diarization"]
    port = free_port()
    # As KubeRay does through the head's dashboard.
    ray_serve.start(proxy_location=config["proxy_location"], http_options={"host": "127.0.0.1", "port": port})
    client = serve_context._get_global_client()
    assert client is not None
    client.deploy_apps(ServeDeploySchema.model_validate(config))
    until_healthy(port)

    speech, translation = (watch(cluster, task) for task in ("transcription", "translation"))
    deadline = time.monotonic() + PATIENCE_S
    while speech.state is not TaskState.READY:
        assert time.monotonic() < deadline, speech.status
        speech.step()
        time.sleep(0.2)
    translation.step()
    assert translation.status is not None
    assert translation.status.state is TaskState.MISSING
    # It deploys nothing by itself, whatever an engine could do.
    assert set(ray_serve.status().applications) == {"health", "transcription"}
    assert NOT_DECLARED.startswith("This cluster does not declare it.")

    (model, *_) = models = list(check_applications())
    assert (model.name, model.sentence) == ("transcription model", "Running, 1 replica.")
    assert can_work([*models, *check_room("embedded")])


def until_healthy(port: int) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while True:
        try:
            answer = httpx2.get(f"http://127.0.0.1:{port}/", trust_env=False, timeout=30)
        except httpx2.HTTPError:
            answer = None
        if answer is not None and answer.status_code == 200:
            assert answer.json()["applications"]["transcription"] == "RUNNING"
            return
        assert time.monotonic() < deadline, answer and answer.text
        time.sleep(0.2)


def watch(settings: ClusterSettings, task: str) -> TaskWatch:
    profile = load_profile("embedded")
    return TaskWatch(deployment_of(task), profile, ModelSettings(), settings.models_root, deploys=False)
