"""The deployments on a real Ray cluster, used as flows use them: by clients, from this process and from a task."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import as_completed
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
import ray
from ray.serve import Application

from cluster.resources import node_slots
from cluster.testing.patience import PATIENCE_S
from cluster.testing.processes import descendants
from serve.application import DeployFailed, deploy, is_ready, remove, start, wait_ready
from serve.core.capability import Capability, FetchState, ModelFetch, TaskState
from serve.core.capability_store import publish_fetch, publish_loaded, published, published_replicas
from serve.core.deployment_retry import RETRY_S
from serve.core.messages import EngineProblem, EngineRefused
from serve.core.replica.deployment import model_application
from serve.tasks.transcription.client import TranscriberClient
from serve.tasks.transcription.deployment import build_app
from serve.tasks.transcription.messages import TRANSCRIPTION, AudioWindow, DecodeOptions
from serve.tasks.transcription.profile import TranscriptionProfile
from serve.testing.speech import SpokenClip
from serve.tests.casing import CASING, Caser, CasingClient, CasingEngine, CasingProfile, Sentence
from serve.tests.casing_deployment import NO_HUB, BrokenCaser, casing_deployment, profile, until, until_state, watch_of

SECOND = b"\0\0" * 16_000
VERSION = "one"
"""While its version stays the same, an application's running replicas take new limits."""


@pytest.fixture(scope="module", autouse=True)
def whisper_deployed(models_root: Path) -> None:
    """The tiny Whisper, which runs up to the tests without a model at the end."""
    start({TRANSCRIPTION: whisper(models_root)}, VERSION)
    wait_ready(PATIENCE_S)


def whisper(models_root: Path, **limits: int) -> Application:
    section = profile("whisper", **limits).require(TranscriptionProfile)
    return build_app(section, NO_HUB, models_root, endpoint=None, replicas_download=False)


@pytest.fixture(scope="module")
def empty_models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A models folder without a model, from which the deployment now runs."""
    folder = tmp_path_factory.mktemp("empty")
    deploy(profile("auto"), settings=NO_HUB, models_root=folder)
    wait_ready(PATIENCE_S)
    return folder


@pytest.fixture
def client() -> Iterator[TranscriberClient]:
    with TranscriberClient(deadline_s=PATIENCE_S) as made:
        yield made


def test_it_is_ready_and_says_which_engine_runs(client: TranscriberClient) -> None:
    assert is_ready()
    info = client.describe()
    assert (info.task, info.engine, info.device) == ("transcription", "whisper", "cpu")
    assert "is" in info.languages


@pytest.mark.long
def test_every_process_of_the_cluster_reads_what_is_loaded_and_downloading(client: TranscriberClient) -> None:
    assert published(TRANSCRIPTION) == Capability(TRANSCRIPTION)
    info = client.describe()
    assert info.detects_language
    assert {"en", "is"} <= info.languages
    fetch = ModelFetch("small", FetchState.RUNNING, bytes_done=5, bytes_total=10, sentence="On its way.")
    publish_loaded(TRANSCRIPTION, info)
    publish_fetch(TRANSCRIPTION, fetch)

    @ray.remote(num_cpus=0.25)
    def seen_elsewhere() -> Capability:
        return published(TRANSCRIPTION)

    assert ray.get(seen_elsewhere.remote(), timeout=PATIENCE_S) == Capability(TRANSCRIPTION, info, fetch)
    publish_fetch(TRANSCRIPTION, None)
    assert published(TRANSCRIPTION) == Capability(TRANSCRIPTION, info)
    publish_loaded(TRANSCRIPTION, None)
    assert published(TRANSCRIPTION) == Capability(TRANSCRIPTION)


@pytest.mark.long
def test_windows_of_many_files_come_back_with_their_own_words(
    client: TranscriberClient, clips: list[SpokenClip]
) -> None:
    futures = {client.submit(clip.window(index=n)): clip for n, clip in enumerate(clips)}
    for future in as_completed(futures, timeout=PATIENCE_S):
        clip = futures[future]
        result = future.result()
        assert result.index == clips.index(clip)
        assert result.language == clip.lang
        assert " ".join(segment.text for segment in result.segments) == clip.text


@pytest.mark.long
def test_a_request_may_name_an_engine_that_is_loaded_for_it(client: TranscriberClient, clips: list[SpokenClip]) -> None:
    """The replica refuses while it loads; the client comes back by itself."""
    assert [each.name for each in client.describe().others] == ["whisper", "pocketsphinx"]
    clip = next(each for each in clips if each.id == "en1-rms")
    usual, other = (
        client.submit(clip.window(options=DecodeOptions(language="en", engine=name))).result(PATIENCE_S)
        for name in ("", "pocketsphinx")
    )
    assert [segment.text for segment in usual.segments] == [clip.text]
    assert [segment.text for segment in other.segments] == ["the weather is fine today"]
    with pytest.raises(EngineRefused, match="“gone” is no longer on this machine"):
        client.submit(clip.window(options=DecodeOptions(engine="gone"))).result(PATIENCE_S)


@pytest.mark.long
def test_a_second_task_is_deployed_beside_the_first(client: TranscriberClient) -> None:
    """Batches of many files, refusals with the task's own words, and both models running."""
    profile = CasingProfile(num_cpus=0.25, workers=1, max_queued_characters=40)
    with CasingClient(CASING, deadline_s=0) as hasty, pytest.raises(EngineRefused, match="No casing model is running"):
        hasty.describe()
    with CasingClient(CASING, deadline_s=PATIENCE_S) as caser:
        start({CASING.name: model_application(Caser, profile, profile)})
        wait_ready(PATIENCE_S, tasks=[CASING])
        assert is_ready([CASING])
        futures = [caser.submit(Sentence(f"file-{number}", f"i am number {number}.")) for number in range(40)]
        cased = [future.result(PATIENCE_S) for future in futures]
        assert [each.text for each in cased] == [f"I am number {number}." for number in range(40)]
        with pytest.raises(EngineRefused) as refused:
            caser.run(Sentence("file", "Cased already."))
        assert refused.value.problem is EngineProblem.BAD_INPUT
        with pytest.raises(EngineRefused, match="The casing model failed on a piece of the text"):
            caser.run(Sentence("file", "crash"))
        publish_loaded(CASING.name, caser.describe())
    assert published(CASING.name).loaded == CasingEngine().info
    assert client.describe().task == TRANSCRIPTION
    assert is_ready()


@pytest.mark.long
def test_an_idle_model_starts_with_its_first_request_and_leaves_memory_afterwards(
    client: TranscriberClient, tmp_path: Path
) -> None:
    watch = watch_of(casing_deployment(), tmp_path)
    missing = until_state(watch, TaskState.MISSING)
    assert missing.sentence == "the models folder of this installation holds no casing model."
    assert watch.sentence().startswith("Casing: not available.")
    (tmp_path / "casing.model").touch()
    idle = until_state(watch, TaskState.IDLE)
    assert idle.loaded == replace(CasingEngine().info, reason="Its file is there.")

    slots, speech = node_slots(), profile("whisper").require(TranscriptionProfile)

    @ray.remote(num_cpus=(slots - speech.num_cpus) / slots)
    def cased(text: str) -> str:
        with CasingClient(CASING, deadline_s=PATIENCE_S) as inner:
            return inner.run(Sentence("file", text)).text

    # Together with the speech model these hold all slots of the node while they wait for the replica.
    greetings = ray.get([cased.remote("good morning.") for _ in range(slots)], timeout=PATIENCE_S)
    assert greetings == ["Good morning."] * slots
    assert until_state(watch, TaskState.READY).loaded == CasingEngine().info
    with CasingClient(CASING, deadline_s=PATIENCE_S) as caser:
        until_state(watch, TaskState.IDLE)
        assert caser.run(Sentence("file", "good evening.")).text == "Good evening."
    (tmp_path / "casing.model").unlink()
    until_state(watch, TaskState.MISSING)
    assert client.describe().task == TRANSCRIPTION


@pytest.mark.long
def test_a_model_that_cannot_start_ends_requests_with_the_reason_and_is_tried_again(
    client: TranscriberClient, tmp_path: Path
) -> None:
    (tmp_path / "casing.model").touch()
    clock = [0.0]
    broken = watch_of(casing_deployment(BrokenCaser), tmp_path, now=lambda: clock[0])
    until_state(broken, TaskState.IDLE)
    with CasingClient(CASING, deadline_s=PATIENCE_S, give_up_s=0) as caser:
        waiting = caser.submit(Sentence("file", "good morning."))
        failed = until_state(broken, TaskState.FAILED)
        assert "The weights are damaged." in failed.sentence
        with pytest.raises(EngineRefused, match=r"The weights are damaged\.") as refused:
            waiting.result(PATIENCE_S)
        assert refused.value.problem is EngineProblem.MODEL_FAILED
    assert client.describe().task == TRANSCRIPTION
    clock[0] += RETRY_S[0]
    until_state(broken, TaskState.IDLE)
    remove(CASING.name)


def test_a_language_is_detected(client: TranscriberClient, clips: list[SpokenClip]) -> None:
    icelandic = next(clip for clip in clips if clip.lang == "is")
    assert client.detect(icelandic.window()).candidates[0][0] == "is"


def test_a_refusal_arrives_as_the_engine_raised_it(client: TranscriberClient, clips: list[SpokenClip]) -> None:
    with pytest.raises(EngineRefused) as refused:
        client.run(clips[0].window(options=DecodeOptions(language="tlh")))
    assert refused.value.problem is EngineProblem.UNKNOWN_LANGUAGE
    assert "tlh" in refused.value.sentence
    with pytest.raises(EngineRefused) as refused:
        client.submit(AudioWindow("odd", 0, 0, b"\1\2\3")).result(PATIENCE_S)
    assert refused.value.problem is EngineProblem.BAD_INPUT
    with pytest.raises(EngineRefused) as refused:
        client.detect(AudioWindow("odd", 0, 0, b"\1\2\3"))
    assert refused.value.problem is EngineProblem.BAD_INPUT


@pytest.mark.long
def test_a_ray_task_uses_the_model(client: TranscriberClient, clips: list[SpokenClip]) -> None:
    @ray.remote(num_cpus=0.25)
    def text_of(window: AudioWindow) -> str:
        with TranscriberClient(deadline_s=PATIENCE_S) as inner:
            return inner.submit(window).result(PATIENCE_S).segments[0].text

    assert ray.get(text_of.remote(clips[0].window()), timeout=PATIENCE_S) == clips[0].text


@pytest.mark.long
def test_requests_to_the_model_bypass_a_web_proxy(client: TranscriberClient, clips: list[SpokenClip]) -> None:
    @ray.remote(num_cpus=0.25, runtime_env={"env_vars": {"http_proxy": "http://127.0.0.1:9", "no_proxy": ""}})
    def text_of(window: AudioWindow) -> str:
        with TranscriberClient(deadline_s=PATIENCE_S) as inner:
            return inner.submit(window).result(PATIENCE_S).segments[0].text

    assert ray.get(text_of.remote(clips[0].window()), timeout=PATIENCE_S) == clips[0].text


def test_an_answer_that_does_not_come_in_time_is_a_refusal(clips: list[SpokenClip]) -> None:
    with TranscriberClient(deadline_s=0.0) as hasty, pytest.raises(EngineRefused) as refused:
        hasty.run(clips[0].window())
    assert refused.value.problem is EngineProblem.OVERLOADED


@pytest.mark.long
def test_an_overloaded_model_is_waited_for(
    client: TranscriberClient, clips: list[SpokenClip], models_root: Path
) -> None:
    """The replica queues two seconds of audio and the file has fifteen, yet every window arrives."""
    start({TRANSCRIPTION: whisper(models_root, max_queued_audio_s=2, max_batch=1)}, VERSION)
    until(lambda: batches() == [1])
    futures = [client.submit(clip.window()) for clip in clips[:6]]
    texts = [" ".join(segment.text for segment in future.result(PATIENCE_S).segments) for future in futures]
    assert texts == [clip.text for clip in clips[:6]]
    start({TRANSCRIPTION: whisper(models_root)}, VERSION)
    until(lambda: batches() != [1])


def batches() -> list[int]:
    """How many windows each replica takes at once."""
    return [report.limits.max_batch for report in published_replicas(TRANSCRIPTION) if report.limits is not None]


@pytest.mark.long
def test_windows_of_a_replica_that_dies_are_sent_again(client: TranscriberClient, clips: list[SpokenClip]) -> None:
    spoken = clips * 4
    # Look for replicas first: that takes as long as a fast machine needs for all the windows.
    named = ray.util.list_named_actors(all_namespaces=True)
    replicas = [ray.get_actor(**actor) for actor in named if "Transcriber" in actor["name"]]
    futures = [client.submit(clip.window()) for clip in spoken]
    futures[0].result(PATIENCE_S)
    for replica in replicas:
        ray.kill(replica, no_restart=True)
    assert not all(future.done() for future in futures)
    texts = [" ".join(segment.text for segment in future.result(PATIENCE_S).segments) for future in futures]
    assert texts == [clip.text for clip in spoken]


@pytest.mark.long
def test_a_suspended_replica_is_replaced_and_its_windows_are_sent_again(clips: list[SpokenClip]) -> None:
    """After three checks without an answer Serve starts another replica."""
    suspended = next(
        pid for pid in descendants(os.getpid()) if b"ServeReplica" in Path(f"/proc/{pid}/cmdline").read_bytes()
    )
    os.kill(suspended, signal.SIGSTOP)
    try:
        with TranscriberClient(deadline_s=PATIENCE_S) as lasting:
            result = lasting.run(clips[0].window())
    finally:
        with suppress(ProcessLookupError):
            os.kill(suspended, signal.SIGCONT)
    assert " ".join(segment.text for segment in result.segments) == clips[0].text


def test_the_offline_engine_takes_over_without_a_model(
    client: TranscriberClient, say: Callable[[str], bytes], empty_models: Path
) -> None:
    info = client.describe()
    assert (info.engine, info.languages) == ("pocketsphinx", frozenset({"en"}))
    assert "no Whisper model" in info.reason
    result = client.run(AudioWindow("file", 0, 0, say("we will meet again in the morning")))
    assert result.segments[0].text == "we will meet again in the morning"


@pytest.mark.long
def test_a_model_that_arrives_takes_new_files_and_running_ones_keep_their_engine(
    client: TranscriberClient, clips: list[SpokenClip], models_root: Path, empty_models: Path
) -> None:
    """Like a folder being copied: first half of it, then the rest."""
    assert client.describe().engine == "pocketsphinx"
    running = DecodeOptions(language="en")
    client.run(AudioWindow("running", 0, 0, SECOND, running))
    shutil.copytree(models_root / "whisper", empty_models / "whisper", ignore=shutil.ignore_patterns("model.bin"))
    whole = (models_root / "whisper" / "model.bin").read_bytes()
    (empty_models / "whisper" / "model.bin").write_bytes(whole[: len(whole) // 2])
    until(lambda: client.describe().problem != "")
    assert client.describe().engine == "pocketsphinx"
    assert "cannot be loaded" in client.describe().problem
    shutil.copytree(models_root / "whisper", empty_models / "whisper", dirs_exist_ok=True)
    until(lambda: client.describe().engine == "whisper")
    assert client.describe().problem == ""
    clip = next(clip for clip in clips if clip.lang == "is")
    icelandic = DecodeOptions(language="is")
    with pytest.raises(EngineRefused) as refused:
        client.run(AudioWindow("running", 1, 0, clip.pcm, icelandic))
    assert refused.value.problem is EngineProblem.UNKNOWN_LANGUAGE
    result = client.run(AudioWindow("new", 0, 0, clip.pcm, icelandic))
    assert " ".join(segment.text for segment in result.segments) == clip.text


@pytest.mark.long
def test_a_deployment_that_cannot_start_says_why(tmp_path: Path) -> None:
    deploy(profile("whisper"), settings=NO_HUB, models_root=tmp_path)
    with pytest.raises(DeployFailed, match="there is no Whisper model"):
        wait_ready(PATIENCE_S)
