"""A chat model in CTranslate2 form: Qwen, Gemma, Llama and others on CPU or GPU, without torch."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from serve.chat.messages import ChatAnswer, ChatRequest
from serve.chat.model import ChatOutcome, too_long
from serve.chat.records import LINES_FORM, with_form
from serve.chat.template import ChatTemplate

DEFAULT_CONTEXT = 8192
BATCH_TOKENS = 16_384
"""Prompt tokens of one pass, with padding."""
MOST_LAG = 64
"""Tokens by which prompts of one pass may differ. CTranslate2 reads at once only as much as the shortest one has, and
the rest token by token: 8 prompts of 230 to 360 tokens gained 1.1x in core time, 8 of like length 1.6x."""


class CTranslate2Chat:
    """Greedy answers of a whole batch at once."""

    gains_from_batches = True
    has_deadline = False

    def __init__(
        self,
        folder: Path,
        *,
        name: str,
        device: str = "cpu",
        compute_type: str = "int8",
        parallel: int = 1,
        threads: int = 0,
        context_tokens: int = DEFAULT_CONTEXT,
    ) -> None:
        """Raises NoChatTemplate, or CTranslate2's error when the model cannot be loaded."""
        import ctranslate2

        self.name = name
        self.device = device
        self.parallel = parallel
        self._template = ChatTemplate(folder)
        self.context_tokens = min(context_tokens, self._template.context_tokens or context_tokens)
        self._generator = ctranslate2.Generator(
            str(folder), device=device, compute_type=compute_type, inter_threads=parallel, intra_threads=threads
        )

    def count_tokens(self, request: ChatRequest) -> int:
        return len(self._prompt(request))

    def complete(self, requests: Sequence[ChatRequest]) -> list[ChatOutcome]:
        prompts = [self._prompt(request) for request in requests]
        outcomes: list[ChatOutcome | None] = [
            too_long(len(prompt), request, self.context_tokens)
            for prompt, request in zip(prompts, requests, strict=True)
        ]
        fitting = [index for index, outcome in enumerate(outcomes) if outcome is None]
        if fitting:
            answers = self._answers([prompts[at] for at in fitting], [requests[at].max_tokens for at in fitting])
            for index, answer in zip(fitting, answers, strict=True):
                outcomes[index] = answer
        return [outcome for outcome in outcomes if outcome is not None]

    def rest(self) -> None:
        """Nothing to free: Serve ends the replica when the model is idle."""

    def close(self) -> None:
        self._generator.unload_model()

    def _prompt(self, request: ChatRequest) -> list[str]:
        messages = request.messages if request.record is None else with_form(request.messages, LINES_FORM)
        return self._template.tokens(messages)

    def _answers(self, prompts: list[list[str]], limits: list[int]) -> list[ChatOutcome]:
        answers: dict[int, ChatOutcome] = {}
        for group in _of_like_length(prompts):
            # CTranslate2 takes one limit for a batch; longer answers are cut to their own.
            results = self._generator.generate_batch(
                [prompts[at] for at in group],
                max_length=max(limits[at] for at in group),
                end_token=self._template.end_tokens or None,
                include_prompt_in_result=False,
                sampling_topk=1,
            )
            for at, result in zip(group, results, strict=True):
                ids, limit = result.sequences_ids[0], limits[at]
                answers[at] = ChatAnswer(self._template.text(ids[:limit]), len(ids) < limit, min(len(ids), limit))
        return [answers[at] for at in range(len(prompts))]


def _of_like_length(prompts: list[list[str]]) -> list[list[int]]:
    """Indices in groups that share a pass."""
    groups: list[list[int]] = []
    for at in sorted(range(len(prompts)), key=lambda index: len(prompts[index])):
        length = len(prompts[at])
        if (
            not groups
            or length - len(prompts[groups[-1][0]]) > MOST_LAG
            or (len(groups[-1]) + 1) * length > BATCH_TOKENS
        ):
            groups.append([])
        groups[-1].append(at)
    return groups
