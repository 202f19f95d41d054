"""A new model task is its own folder and one line of `serve/tasks/__init__.py`."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]

REGISTRATION = """
from pathlib import Path

from serve.core.engine_label import EngineLabel
from serve.core.task_deployment import TaskDeployment
from serve.tasks.casing.task import CASING, Caser, CasingEngine, CasingProfile


def _build_app(section, settings, models_root, *, replicas_download):
    from serve.core.replica.deployment import model_application

    return model_application(Caser, section, section)


DEPLOYMENT = TaskDeployment(
    task=CASING,
    section_type=CasingProfile,
    title="Casing",
    explain=lambda section, settings, models_root: CasingEngine().info,
    build_app=_build_app,
    engines={"rules": EngineLabel(models={"english": "Rules of English casing"})},
    model_forms={"casing": ("casing.model",)},
    holds_model=lambda folder, names: "casing.model" in names,
)
"""
MODELS = """
- name: english-casing
  title: English casing
  licence: MIT
  parts: [{repository: example/english-casing, files: casing}]
"""
LOOK = """
import json, sys
from pathlib import Path

import serve.declared
from cluster.settings import get_cluster_settings
from serve.catalogue.entry import catalogue, task_of
from serve.core.in_process import InProcessModel
from serve.core.settings import ModelSettings
from serve.doctor import explain_engines
from serve.profile import load_profile
from serve.tasks.casing.task import CASING, CasingEngine, CasingProfile, Sentence
from serve.tasks.engine_labels import engine_label

profile = load_profile(sys.argv[1])
model = InProcessModel(CASING, profile.get(CasingProfile), CasingEngine)
models = Path(sys.argv[2])
explained = explain_engines(get_cluster_settings(), ModelSettings())
print(json.dumps({
    "section": profile.section("casing").max_queued,
    "declared": type(serve.declared.casing({})).__name__,
    "catalogue": [entry.title for entry in catalogue() if entry.task == "casing"],
    "files": [part.patterns for entry in catalogue() if entry.task == "casing" for part in entry.parts],
    "folder": task_of(models / "english-casing"),
    "doctor": [each.engine for each in explained if each.task == "casing"],
    "label": engine_label("rules", "english"),
    "answer": model.submit(Sentence("file", "so do i.")).result(300).text,
}))
model.close()
"""


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What a process needs to run the product with the example task added."""
    tree = tmp_path_factory.mktemp("tree")
    shutil.copytree(PROJECT / "serve", tree / "serve", ignore=shutil.ignore_patterns("tests", "testing", "__pycache__"))
    folder = tree / "serve" / "tasks" / "casing"
    folder.mkdir()
    (folder / "__init__.py").touch()
    shutil.copy(PROJECT / "serve" / "tests" / "casing.py", folder / "task.py")
    (folder / "registration.py").write_text(REGISTRATION)
    (folder / "models.yaml").write_text(MODELS)
    names = tree / "serve" / "tasks" / "__init__.py"
    lines = names.read_text().splitlines()
    (line,) = (number for number, text in enumerate(lines) if text.startswith("NAMES"))
    lines[line] = lines[line].replace(")", ', "casing")')
    names.write_text("\n".join(lines))
    profile = tree / "own.yaml"
    speech = "transcription: {engine: auto, models: [tiny], hub: false}"
    profile.write_text(f"{speech}\ncasing: {{max_queued_characters: 77}}\n")
    model = tree / "models" / "english-casing"
    model.mkdir(parents=True)
    (model / "casing.model").touch()
    return {
        **os.environ,
        "PYTHONPATH": f"{tree}{os.pathsep}{PROJECT}",
        "SAGASCRIPT_PROFILE": str(profile),
        "SAGASCRIPT_DATA_DIR": str(tree / "data"),
        "SAGASCRIPT_MODELS_DIR": str(tree / "models"),
    }


def _run(environment: dict[str, str], *arguments: str) -> str:
    ran = subprocess.run(
        [sys.executable, *arguments],
        env=environment,
        cwd=environment["PYTHONPATH"].split(os.pathsep)[0],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_everything_that_loops_over_tasks_finds_a_new_one(environment: dict[str, str]) -> None:
    arguments = (environment["SAGASCRIPT_PROFILE"], environment["SAGASCRIPT_MODELS_DIR"])
    found = json.loads(_run(environment, "-c", LOOK, *arguments).splitlines()[-1])
    assert found == {
        "section": 77,
        "declared": "Application",
        "catalogue": ["English casing"],
        "files": [["casing.model"]],
        "folder": "casing",
        "doctor": ["rules"],
        "label": "Rules of English casing",
        "answer": "So do I.",
    }


@pytest.mark.long
def test_the_command_line_lists_models_of_a_new_task(environment: dict[str, str]) -> None:
    listed = _run(environment, "-c", "from api.main import run; run()", "models", "list", "--task", "casing")
    assert "Casing\n" in listed
    assert "english-casing" in listed
    assert "whisper" not in listed.lower().replace(environment["SAGASCRIPT_MODELS_DIR"], "")
