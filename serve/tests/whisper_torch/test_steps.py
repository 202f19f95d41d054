"""Parts of `whisper_torch` against plain forms of the same rule, and what keeps a step fit for a CUDA graph."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from serve.testing.tiny_models.transformers_form import transformers_whisper

if TYPE_CHECKING:
    import torch

    from serve.tasks.transcription.whisper_torch.step import Marks

pytestmark = pytest.mark.gpu_env

TEXT, END, BEGIN, VOCABULARY = 6, 6, 10, 80
"""A small vocabulary: six words, the end, three control tokens, of which the last asks for no times, and 70 times."""


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Any:
    from transformers import WhisperForConditionalGeneration

    return WhisperForConditionalGeneration.from_pretrained(
        transformers_whisper(tmp_path_factory.mktemp("model"))
    ).eval()


@pytest.fixture(scope="module")
def marks() -> Marks:
    from serve.tasks.transcription.whisper_torch.step import Marks

    return Marks(50257, 50362, 50364, tuple(range(50259, 50358)), (50258, 50358, 50359, 50360, 50361, 50362))


def allowed_after(written: Sequence[int], scores: torch.Tensor) -> set[int]:
    """Tokens that may follow, by openai/whisper's rules in plain loops."""
    allowed = set(range(VOCABULARY)) - {2, BEGIN - 1}
    if not written:
        return {token for token in allowed if BEGIN <= token <= BEGIN + 50}
    times = [token for token in written if token >= BEGIN]
    last_is_time = written[-1] >= BEGIN
    before_is_time = len(written) < 2 or written[-2] >= BEGIN
    if last_is_time and before_is_time:
        allowed -= set(range(BEGIN, VOCABULARY))
    elif last_is_time:
        allowed -= set(range(END))
    if times:
        allowed -= set(range(BEGIN, times[-1]))
    if not (last_is_time and before_is_time):
        chances = scores.softmax(-1)
        together = sum(float(chances[token]) for token in allowed if token >= BEGIN)
        if together > max((float(chances[token]) for token in allowed if token < BEGIN), default=0.0):
            allowed = {token for token in allowed if token >= BEGIN}
    return allowed


def test_the_rules_are_those_of_whisper_after_every_kind_of_beginning() -> None:
    import torch

    from serve.tasks.transcription.whisper_torch.rules import TokenRules

    rules = TokenRules(
        vocabulary=VOCABULARY, end_of_text=END, timestamp_begin=BEGIN, suppressed=[2], device=torch.device("cpu")
    )
    generator = torch.Generator().manual_seed(1)
    kinds = [1, 3, BEGIN + 5, BEGIN + 40]
    beginnings: list[list[int]] = [[], *([*each] for length in (1, 2, 3) for each in product(kinds, repeat=length))]
    scores = 3 * torch.randn(len(beginnings), VOCABULARY, generator=generator)
    # In a third of them one word stands out, or the times would always win.
    scores[::3, 4] += 12
    last = [written[-1] if written else 0 for written in beginnings]
    before = [written[-2] if len(written) > 1 else last[index] for index, written in enumerate(beginnings)]
    latest = [next((token for token in reversed(written) if token >= BEGIN), 0) for written in beginnings]
    found = rules(
        scores,
        is_first=torch.tensor([not written for written in beginnings]),
        last=torch.tensor(last),
        before_last=torch.tensor(before),
        latest_time=torch.tensor(latest),
    )
    for written, row, original in zip(beginnings, found, scores, strict=True):
        kept = set(row.isfinite().nonzero()[:, 0].tolist())
        assert kept == allowed_after(written, original), written
        assert torch.equal(row[sorted(kept)], original[sorted(kept)])


def plain_path(cost: torch.Tensor) -> list[int]:
    """First frame of each row, by dynamic time warping cell by cell, as openai/whisper writes it."""
    rows, frames = cost.shape
    total = [[float("inf")] * (frames + 1) for _ in range(rows + 1)]
    step = [[0] * (frames + 1) for _ in range(rows + 1)]
    total[0][0] = 0.0
    for row, frame in product(range(1, rows + 1), range(1, frames + 1)):
        options = (total[row - 1][frame - 1], total[row - 1][frame], total[row][frame - 1])
        step[row][frame] = min(range(3), key=lambda each: options[each])
        total[row][frame] = float(cost[row - 1, frame - 1]) + min(options)
    starts = [0] * rows
    row, frame = rows, frames
    while row > 0:
        starts[row - 1] = frame - 1
        chosen = step[row][frame]
        row, frame = row - (chosen < 2), frame - (chosen != 1)
    return starts


def test_the_path_through_the_attention_is_the_cheapest_for_every_window_of_a_batch() -> None:
    import torch

    from serve.tasks.transcription.whisper_torch.alignment import first_frames

    generator = torch.Generator().manual_seed(2)
    cost = torch.randn(6, 9, 40, generator=generator)
    rows, frames = torch.tensor([9, 1, 5, 9, 2, 7]), torch.tensor([40, 40, 17, 9, 3, 25])
    found = first_frames(cost, rows, frames)
    for each, row, frame, whole in zip(found, rows.tolist(), frames.tolist(), cost, strict=True):
        assert each[:row].tolist() == plain_path(whole[:row, :frame].double())


def test_beside_the_steps_one_call_runs_at_a_time_until_the_model_closes() -> None:
    import torch

    from serve.tasks.transcription.whisper_torch.loop import LoopClosed
    from serve.tasks.transcription.whisper_torch.side_stream import SideStream

    side = SideStream(torch.device("cpu"))
    begun, held = threading.Event(), threading.Event()
    seen: list[str] = []

    def first() -> str:
        begun.set()
        held.wait()
        seen.append("first")
        return "encoded"

    with ThreadPoolExecutor(2) as callers:
        slow = callers.submit(side.run, first)
        begun.wait()
        later = callers.submit(side.run, lambda: seen.append("second"))
        held.set()
        assert slow.result() == "encoded"
        later.result()
    assert seen == ["first", "second"]
    with pytest.raises(ZeroDivisionError):
        side.run(lambda: divmod(1, 0))
    side.close()
    with pytest.raises(LoopClosed, match="being stopped"):
        side.run(lambda: seen.append("late"))
    assert seen == ["first", "second"]


def test_the_median_of_seven_is_the_median() -> None:
    import torch

    from serve.tasks.transcription.whisper_torch.alignment import median_of_seven

    values = torch.randint(0, 5, (7, 500), generator=torch.Generator().manual_seed(3)).float()
    assert torch.equal(median_of_seven(list(values)), values.median(0).values)


def decoded(model: Any, marks: Marks, waves: int, *, slots: int, steps_per_look: int, limits: Sequence[int]) -> Any:
    """Decode encoder outputs drawn at random with this many slots; return the results in order."""
    import torch

    from serve.tasks.transcription.whisper_torch.loop import DecodeLoop
    from serve.tasks.transcription.whisper_torch.rows import Row
    from serve.tasks.transcription.whisper_torch.step import Decoder
    from serve.tasks.transcription.whisper_torch.stepper import GraphStepper

    generator = torch.Generator().manual_seed(4)
    # Contexts of 10 s and 30 s side by side.
    encoded = [torch.randn(500 if index % 2 else 1500, 80, generator=generator) for index in range(waves)]
    loop = DecodeLoop(lambda: GraphStepper(Decoder(model, marks, slots), steps_per_look=steps_per_look), "steps")
    try:
        prompts = [(50258, 50259, 50359), (50361, 400, 401, 402, 50258, 50259, 50359)]
        return loop.decode(
            [
                Row(prompts[index % 2], 4 * (index % 2), limits[index % len(limits)], each, detects_language=index < 3)
                for index, each in enumerate(encoded)
            ]
        ), (loop.steps, loop.row_steps)
    finally:
        loop.close()


def test_what_runs_beside_a_row_and_how_often_one_looks_changes_nothing(model: Any, marks: Marks) -> None:
    """Rows with and without earlier text, with both contexts, alone in the device or among others."""
    limits = [3, 9, 6]
    results = []
    for slots, steps_per_look in ((1, 1), (3, 4), (6, 1)):
        found, (steps, row_steps) = decoded(model, marks, 6, slots=slots, steps_per_look=steps_per_look, limits=limits)
        assert row_steps <= steps * slots
        results.append(found)
    for other in results[1:]:
        for one, same in zip(results[0], other, strict=True):
            assert one.tokens == same.tokens
            assert one.log_probability == pytest.approx(same.log_probability, abs=1e-3)
            assert one.no_speech_probability == pytest.approx(same.no_speech_probability, abs=1e-4)
            assert one.language_probabilities == pytest.approx(same.language_probabilities, abs=1e-4)
    assert all(len(one.tokens) <= limits[index % 3] for index, one in enumerate(results[0]))


def test_a_slot_is_as_new_after_a_row_with_a_long_text(model: Any, marks: Marks) -> None:
    """One slot, rows one after another: what the first left in the caches must not reach the second."""
    order = [120, 10]
    alone, _ = decoded(model, marks, 2, slots=2, steps_per_look=1, limits=order)
    after, _ = decoded(model, marks, 2, slots=1, steps_per_look=1, limits=order)
    assert [one.tokens for one in alone] == [one.tokens for one in after]


@pytest.mark.parametrize("draws", [False, True])
def test_a_step_never_asks_the_device_for_a_value(model: Any, marks: Marks, draws: bool) -> None:
    """A CUDA graph cannot be captured while Python waits for a value or a shape depends on one. Tracing with tensors
    that have no content fails at the same places."""
    import torch
    from torch._subclasses.fake_tensor import DataDependentOutputException, FakeTensorMode

    from serve.tasks.transcription.whisper_torch.step import Decoder

    decoder = Decoder(model, marks, 8)
    with torch.inference_mode(), FakeTensorMode(allow_non_fake_inputs=True):
        decoder.step(8, 64, draws=draws)
        with pytest.raises(DataDependentOutputException):
            (decoder.position + 1).max().item()


def test_draws_follow_the_temperature(model: Any, marks: Marks) -> None:
    """At temperature 0 a row takes the likeliest token, whoever draws beside it."""
    import torch

    from serve.tasks.transcription.whisper_torch.rows import Row
    from serve.tasks.transcription.whisper_torch.step import Decoder
    from serve.tasks.transcription.whisper_torch.stepper import GraphStepper

    torch.manual_seed(6)
    encoded = torch.randn(1500, 80)
    stepper = GraphStepper(Decoder(model, marks, 8))
    rows = [Row((50258, 50259, 50359), 0, 12, encoded, temperature) for temperature in (0.0, 0.0, 2.0, 2.0, 2.0)]
    stepper.admit(list(enumerate(rows)))
    found: dict[int, tuple[int, ...]] = {}
    for taken in range(20):
        stepper.advance(used=5, longest=taken, draws=True)
        found |= {slot: result.tokens for slot, result in stepper.finished(5)}
    assert found[0] == found[1]
    assert len({found[slot] for slot in (2, 3, 4)}) == 3


def test_without_named_heads_those_of_the_upper_half_align(tmp_path: Path) -> None:
    from serve.tasks.transcription.whisper_torch.model import alignment_heads

    (tmp_path / "config.json").write_text('{"decoder_layers": 4, "decoder_attention_heads": 2}')
    assert alignment_heads(tmp_path) == [(2, 0), (2, 1), (3, 0), (3, 1)]
