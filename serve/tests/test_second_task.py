"""The generic client, scheduler and in-process form with a task that is not speech."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import closing

import pytest

from cluster.testing.patience import PATIENCE_S
from serve.core.in_process import InProcessModel
from serve.core.messages import EngineProblem, EngineRefused
from serve.core.replica.batching import Batcher
from serve.core.replica_messages import BatchLimits
from serve.tests.casing import CASING, CasedSentence, CasingEngine, CasingProfile, Sentence

Caser = InProcessModel[Sentence, CasedSentence, CasingEngine]


@pytest.fixture
def caser() -> Iterator[Caser]:
    with closing(Caser(CASING, CasingProfile(), CasingEngine)) as model:
        yield model


def test_a_second_task_runs_inside_the_program_that_uses_it(caser: Caser) -> None:
    texts = {"file-1": "so do i. we agree!", "file-2": "ég líka. já."}
    futures = {file: caser.submit(Sentence(file, text)) for file, text in texts.items()}
    assert {file: future.result(PATIENCE_S).text for file, future in futures.items()} == {
        "file-1": "So do I. We agree!",
        "file-2": "Ég líka. Já.",
    }
    assert caser.describe().task == "casing"


def test_errors_name_the_task_that_failed(caser: Caser) -> None:
    refusal = _refusal(caser.submit(Sentence("file", "crash")))
    assert refusal.problem is EngineProblem.MODEL_FAILED
    assert refusal.sentence == "The casing model failed on a piece of the text (no rule applies)."


async def test_sentences_of_many_files_share_a_batch_and_those_of_another_key_do_not() -> None:
    batcher: Batcher[Sentence, CasedSentence] = Batcher(CASING, CasingEngine(), BatchLimits(max_queued=1000))
    texts = ["one.", "two.", "þrír.", "four."]
    sentences = [Sentence(f"file-{number}", text) for number, text in enumerate(texts)]
    cased = await asyncio.gather(*map(batcher.submit, sentences))
    assert cased == [
        CasedSentence("One.", 3),
        CasedSentence("Two.", 3),
        CasedSentence("Þrír.", 1),
        CasedSentence("Four.", 3),
    ]
    batcher.close()


async def test_the_bound_on_waiting_work_counts_what_the_task_counts() -> None:
    limits = BatchLimits(max_batch=8, wait_ms=0, max_queued=10)
    batcher: Batcher[Sentence, CasedSentence] = Batcher(CASING, CasingEngine(), limits)
    waiting = asyncio.create_task(batcher.submit(Sentence("file", "eight ch")))
    await asyncio.sleep(0)
    assert batcher.queued == len("eight ch")
    with pytest.raises(EngineRefused, match="The casing model has more text waiting than it can take"):
        await batcher.submit(Sentence("file", "four"))
    assert (await waiting).text == "Eight ch"
    batcher.close()


def _refusal(future: Future[CasedSentence]) -> EngineRefused:
    with pytest.raises(EngineRefused) as refused:
        future.result(PATIENCE_S)
    return refused.value
