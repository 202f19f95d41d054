"""Runs decode steps for the loop: starts rows, replays captured steps on a GPU, and fetches finished rows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import structlog
import torch

from serve.tasks.transcription.whisper_torch.rows import Row, RowResult
from serve.tasks.transcription.whisper_torch.step import Decoder

log = structlog.get_logger(__name__)

SMALLEST_SIZE = 8
LENGTHS = (64, 128, 256)
"""Lengths of the self-attention cache that a step reads, beside the whole one."""
STEPS_PER_LOOK = {"cuda": 4, "cpu": 1}
"""A look waits for the GPU, which then has nothing to do; a row that ends between two looks idles until the second."""
WARM_UP_STEPS = 3


class GraphStepper:
    """On a GPU every step is a replay of a CUDA graph, one for each size, length and kind of choice.

    Launching a step's kernels one by one would take longer than the step.
    """

    def __init__(self, decoder: Decoder, *, steps_per_look: int | None = None) -> None:
        self._decoder = decoder
        self.slots = decoder.slots
        self.steps_per_look = steps_per_look or STEPS_PER_LOOK[decoder.device.type]
        self._graphs: dict[tuple[int, int, bool], torch.cuda.CUDAGraph] = {}
        self.sizes = _sizes(decoder.slots)
        self.lengths = (*(each for each in LENGTHS if each < decoder.positions), decoder.positions)
        self._running: set[int] = set()

    @torch.inference_mode()
    def capture(self) -> None:
        """Capture every step. Nothing else may use the device meanwhile."""
        pool = torch.cuda.graph_pool_handle()
        # The largest first: the others find room in its memory.
        for size in reversed(self.sizes):
            for length in reversed(self.lengths):
                for draws in (False, True):
                    self._captured(pool, size, length, draws=draws)
        log.info("engine.graphs_captured", graphs=len(self._graphs))

    @torch.inference_mode()
    def admit(self, rows: Sequence[tuple[int, Row]]) -> None:
        decoder = self._decoder
        slots = self._sent(torch.tensor([slot for slot, _ in rows]))
        prompts = torch.zeros(len(rows), decoder.positions, dtype=torch.long)
        for index, (_, row) in enumerate(rows):
            prompts[index, : len(row.prompt)] = torch.tensor(row.prompt)
        decoder.tokens[slots] = self._sent(prompts)
        for state, values in (
            (decoder.start, [row.start_of_transcript for _, row in rows]),
            (decoder.prompt, [len(row.prompt) for _, row in rows]),
            (decoder.limit, [min(len(row.prompt) + row.max_tokens, decoder.positions) for _, row in rows]),
            (decoder.detects, [row.detects_language for _, row in rows]),
            (decoder.temperature, [row.temperature for _, row in rows]),
        ):
            state[slots] = self._sent(torch.tensor(values, dtype=state.dtype))
        for state in (decoder.position, decoder.latest_time, decoder.score):
            state[slots] = 0
        decoder.is_active[slots] = True
        by_frames = defaultdict(list)
        for slot, row in rows:
            by_frames[row.encoded.shape[0]].append((slot, row.encoded))
        for members in by_frames.values():
            chosen = self._sent(torch.tensor([slot for slot, _ in members]))
            decoder.fill_cross(chosen, torch.stack([encoded for _, encoded in members]))
        self._running.update(slot for slot, _ in rows)

    @torch.inference_mode()
    def advance(self, *, used: int, longest: int, draws: bool) -> None:
        size = next(each for each in self.sizes if each >= used)
        reach = min(longest + self.steps_per_look, self._decoder.positions)
        length = next(each for each in self.lengths if each >= reach)
        graph = self._graphs.get((size, length, draws))
        for _ in range(self.steps_per_look):
            if graph is None:
                self._decoder.step(size, length, draws=draws)
            else:
                graph.replay()

    @torch.inference_mode()
    def finished(self, used: int) -> list[tuple[int, RowResult]]:
        decoder = self._decoder
        is_active = decoder.is_active[:used].tolist()
        slots = [slot for slot in sorted(self._running) if not is_active[slot]]
        if not slots:
            return []
        self._running.difference_update(slots)
        chosen = torch.tensor(slots, device=decoder.device)
        tokens, prompts, positions, scores, silences, languages = (
            state[chosen].tolist()
            for state in (
                decoder.tokens,
                decoder.prompt,
                decoder.position,
                decoder.score,
                decoder.no_speech,
                decoder.languages,
            )
        )
        found = []
        for index, slot in enumerate(slots):
            written = tokens[index][prompts[index] : positions[index] + 1]
            if written[-1] == decoder.marks.end_of_text:
                written.pop()
            found.append((slot, RowResult(tuple(written), scores[index], silences[index], languages[index])))
        return found

    @torch.inference_mode()
    def reset(self) -> None:
        self._running.clear()
        self._decoder.is_active.fill_(False)

    def _sent(self, values: torch.Tensor) -> torch.Tensor:
        """The values on the device, which copies them by itself: Python goes on meanwhile."""
        device = self._decoder.device
        return values.pin_memory().to(device, non_blocking=True) if device.type == "cuda" else values

    def _captured(self, pool: object, size: int, length: int, *, draws: bool) -> None:
        # Libraries set themselves up in their first calls, which must not be captured.
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            for _ in range(WARM_UP_STEPS):
                self._decoder.step(size, length, draws=draws)
        torch.cuda.current_stream().wait_stream(stream)
        graph = torch.cuda.CUDAGraph()
        # Another model may be at work in another thread while this one is loaded beside it.
        with torch.cuda.graph(graph, pool=pool, capture_error_mode="thread_local"):
            self._decoder.step(size, length, draws=draws)
        self._graphs[size, length, draws] = graph


def _sizes(slots: int) -> tuple[int, ...]:
    """8, 16, 32 and so on up to all slots."""
    sizes = []
    size = SMALLEST_SIZE
    while size < slots:
        sizes.append(size)
        size *= 2
    return (*sizes, slots)
