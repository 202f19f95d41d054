"""What `sagascript doctor` says about the model tasks."""

from __future__ import annotations

from pathlib import Path

from api.edges.cli.upkeep.checks import engines
from api.platform.settings import ApiSettings
from cluster.doctor import State, can_work
from serve.tasks.registry import TASKS


def test_a_task_that_is_missing_is_a_warning_and_captions_still_work(tmp_path: Path) -> None:
    profile = tmp_path / "speech.yaml"
    profile.write_text("transcription: {engine: pocketsphinx, models: [tiny], hub: false}")
    found = list(engines(ApiSettings(data_dir=tmp_path / "data", profile=str(profile))))
    assert [check.name for check in found] == [f"{each.task.name} engine" for each in TASKS]
    speech, *others = found
    assert speech.sentence.startswith("pocketsphinx, model en-us, on cpu.")
    assert speech.sentence.endswith("Languages: en. The built-in engine knows English only and errs often.")
    assert {check.state for check in others} == {State.WARN}
    assert "has no section “translation”. Add one to use it." in others[0].sentence
    assert can_work(found)
    (tmp_path / "whisper.yaml").write_text("transcription: {engine: whisper, models: [tiny], hub: false}")
    without = engines(ApiSettings(data_dir=tmp_path / "data", profile=str(tmp_path / "whisper.yaml")))
    assert not can_work(without)
