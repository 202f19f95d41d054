"""The flow with the real sherpa runtime and the tiny pair of models, on made conversations."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from pipelines.flows.speakers.flow import CPU_IN_FLIGHT, FEWER, NO_SPEECH
from pipelines.messages.attempt import Chunk, Progress, StageFailed
from pipelines.testing.diarizer import InProcessDiarizer, SpeakerRuns
from serve.core.messages import EngineProblem, EngineRefused
from serve.tasks.diarization.messages import SoundPiece
from serve.tasks.diarization.sherpa import SherpaEngine
from serve.testing.speaker_errors import diarization_errors
from serve.testing.tiny_speakers.dialogue import Dialogue, talk

NO_MODEL = "There is no speaker model on this machine."


@pytest.fixture(scope="module")
def three() -> Dialogue:
    """70 s of three voices, now and then two at once: three pieces."""
    return talk(("rms", "slt", "awb"), 20, pause_ms=(400, -500, 250, 700), seed=41)


def overlap_ms(dialogue: Dialogue) -> int:
    return sum(max(0, one.end_ms - other.start_ms) for one, other in pairwise(dialogue.utterances))


def test_it_finds_who_speaks_when(runs: SpeakerRuns, client: InProcessDiarizer, three: Dialogue) -> None:
    streamed = runs.stream(runs.request(three.samples), client)
    result = runs.result(runs.request(three.samples), client)
    assert {turn.speaker for turn in result.turns} == {"S1", "S2", "S3"}
    assert result.turns[0].speaker == "S1", "labels follow the order of appearance"
    assert diarization_errors(three.utterances, result.turns, collar_ms=250).rate < 0.01
    assert diarization_errors(three.utterances, result.turns).rate < 0.04
    assert diarization_errors(three.utterances, result.turns).missed < 0.25 * overlap_ms(three)
    assert [turn.start_ms for turn in result.turns] == sorted(turn.start_ms for turn in result.turns)
    progress = [value.done for value in streamed if isinstance(value, Progress)]
    assert progress == sorted(progress)
    assert progress[-1] == three.duration_ms
    assert client.most_at_once <= CPU_IN_FLIGHT


@pytest.mark.long
def test_each_sample_is_one_voice_alone(runs: SpeakerRuns, client: InProcessDiarizer, three: Dialogue) -> None:
    result = runs.result(runs.request(three.samples), client)
    assert [sample.speaker for sample in result.samples] == ["S1", "S2", "S3"]
    for sample in result.samples:
        assert 2_000 <= sample.end_ms - sample.start_ms <= 8_000
        at_once = {
            said.speaker for said in three.utterances if said.start_ms < sample.end_ms and said.end_ms > sample.start_ms
        }
        assert len(at_once) == 1


@pytest.mark.long
def test_a_known_number_of_speakers_is_kept(runs: SpeakerRuns, client: InProcessDiarizer, three: Dialogue) -> None:
    for wanted in (1, 2, 3):
        result = runs.result(runs.request(three.samples, speakers=wanted), client)
        assert len({turn.speaker for turn in result.turns}) == wanted
        assert result.notes == ()


@pytest.mark.long
def test_one_speaker(runs: SpeakerRuns, client: InProcessDiarizer) -> None:
    alone = talk(("slt",), 5, seed=3)
    result = runs.result(runs.request(alone.samples), client)
    assert {turn.speaker for turn in result.turns} == {"S1"}
    expected = FEWER(found=1, wanted=9)
    several = runs.result(runs.request(talk(("slt",), 1).samples, speakers=9), client)
    assert several.notes == (expected,)


def test_a_file_without_speech(runs: SpeakerRuns, client: InProcessDiarizer) -> None:
    noise = np.random.default_rng(1).integers(-60, 60, 20 * 16_000).astype(np.int16)
    result = runs.result(runs.request(noise), client)
    assert (result.turns, result.samples, result.notes) == ((), (), (NO_SPEECH,))
    assert client.pieces == [], "silence costs the model nothing"


@pytest.mark.long
def test_a_later_attempt_starts_after_the_finished_pieces(
    runs: SpeakerRuns, sherpa: SherpaEngine, three: Dialogue
) -> None:
    def fail_at_the_end(piece: SoundPiece) -> None:
        if piece.index == 2:
            raise EngineRefused(EngineProblem.MODEL_FAILED, "The model failed.")

    request = runs.request(three.samples)
    first = InProcessDiarizer(sherpa, fail_at_the_end)
    values: list[object] = []
    with pytest.raises(StageFailed, match="The model failed") as failed:
        values.extend(runs.stream_lazily(request, first))
    first.stop()
    assert failed.value.retryable
    chunks = [value for value in values if isinstance(value, Chunk)]
    assert chunks
    second, whole = InProcessDiarizer(sherpa), InProcessDiarizer(sherpa)
    kept = {chunk.key: chunk.payload.to_json() for chunk in chunks}
    resumed = runs.stream(request, second, kept)[-1]
    assert resumed == runs.stream(request, whole)[-1], "the result is the same as without the failure"
    assert len(second.pieces) == len(whole.pieces) - len(chunks)
    for client in (second, whole):
        client.stop()


def test_without_a_model_the_sentence_says_so(runs: SpeakerRuns, three: Dialogue) -> None:
    with pytest.raises(StageFailed, match=NO_MODEL) as failed:
        runs.result(runs.request(three.samples), NO_MODEL)
    assert not failed.value.retryable
