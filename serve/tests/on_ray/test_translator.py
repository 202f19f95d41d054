"""The `Translator` deployment on a real Ray cluster, used as flows use it."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path

import pytest
import ray

from cluster.testing.patience import PATIENCE_S
from serve.application import start, wait_ready
from serve.core.client import ModelClient
from serve.core.messages import EngineInfo, EngineProblem, EngineRefused
from serve.tasks.translation.deployment import build_app
from serve.tasks.translation.messages import Passage, Translated
from serve.tasks.translation.profile import TranslationProfile
from serve.tasks.translation.task import TRANSLATION_TASK as TASK
from serve.testing.tiny_models.archives import TRANSLATION, unpack
from serve.testing.tiny_models.phrases import Phrase, phrases_between
from serve.testing.translation import EXACT, NO_HUB, passage

NAMED = "named"
"""The tiny model, for one pair that a setting names."""

Client = ModelClient[Passage, Translated]


@pytest.fixture(scope="module")
def models_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models")
    unpack(TRANSLATION, folder).rename(folder / NAMED)
    return folder


@pytest.fixture(scope="module")
def client(models_folder: Path) -> Iterator[Client]:
    """Translation that starts with its first request; it knows only English to Icelandic."""
    profile = TranslationProfile(
        engine="ct2", models={"en-is": NAMED}, num_cpus=0.25, workers=1, unload_after_s=60, compute_type=EXACT
    )
    start({TASK.name: build_app(profile, NO_HUB, models_folder, replicas_download=False)})
    wait_ready(PATIENCE_S, tasks=[TASK])
    with ModelClient(TASK, deadline_s=PATIENCE_S) as made:
        yield made


def submitted(client: Client, phrases: list[Phrase]) -> list[Future[Translated]]:
    """Passages of eight files."""
    return [
        client.submit(passage(phrase.source, f"en-{phrase.target_language}", stream=f"file-{number % 8}", index=number))
        for number, phrase in enumerate(phrases)
    ]


def test_passages_of_many_files_are_translated_by_a_replica_that_starts_for_them(client: Client) -> None:
    phrases = phrases_between("en", "is")[:32]
    translated = [future.result(PATIENCE_S) for future in submitted(client, phrases)]
    assert [each.index for each in translated] == list(range(32))
    assert [each.hypotheses[0].text for each in translated] == [phrase.target for phrase in phrases]


def test_a_pair_that_no_model_knows_is_refused_with_those_that_work(client: Client) -> None:
    with pytest.raises(EngineRefused) as refused:
        client.run(passage("Good morning.", "en-es"))
    assert refused.value.problem is EngineProblem.UNKNOWN_LANGUAGE
    assert "en → is" in refused.value.sentence


def test_passages_of_a_replica_that_dies_are_sent_again(client: Client) -> None:
    phrases = phrases_between("en", "is") * 6
    named = ray.util.list_named_actors(all_namespaces=True)
    replicas = [ray.get_actor(**actor) for actor in named if "Translator" in actor["name"]]
    futures = submitted(client, phrases)
    futures[0].result(PATIENCE_S)
    for replica in replicas:
        ray.kill(replica, no_restart=True)
    texts = [future.result(PATIENCE_S).hypotheses[0].text for future in futures]
    assert texts == [phrase.target for phrase in phrases]


@pytest.mark.long
def test_a_model_that_arrives_adds_its_pairs_for_new_files(client: Client, models_folder: Path) -> None:
    assert ("en", "es") not in pairs_of(client.describe())
    shutil.copytree(models_folder / NAMED, models_folder / "opus-mt-arrived")
    until(lambda: ("en", "es") in pairs_of(client.describe()))
    translated = client.run(passage("Nobody knows the answer.", "en-es", stream="new"))
    assert translated.hypotheses[0].text == "Nadie sabe la respuesta."


def pairs_of(info: EngineInfo) -> set[tuple[str, str]]:
    if info.pairs is None:
        return {(one, two) for one in info.languages for two in info.languages if one != two}
    return {(pair.source, pair.target) for pair in info.pairs}


def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.2)
