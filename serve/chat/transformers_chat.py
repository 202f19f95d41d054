"""A chat model from safetensors with transformers. Only this module of the room imports torch."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from serve.chat.ct2_chat import DEFAULT_CONTEXT
from serve.chat.messages import ChatAnswer, ChatMessage, ChatRequest, conversation
from serve.chat.model import ChatOutcome, too_long
from serve.chat.records import LINES_FORM, with_form
from serve.chat.template import NO_TEMPLATE, NoChatTemplate, without_system


class TransformersChat:
    """Greedy answers of a whole batch at once. transformers runs one call at a time."""

    gains_from_batches = True
    has_deadline = False
    parallel = 1

    def __init__(self, folder: Path, *, name: str, device: str = "cpu", context_tokens: int = DEFAULT_CONTEXT) -> None:
        """Raises ImportError without the `gpu` extra, ValueError or OSError when the folder holds no chat model."""
        import torch
        from transformers import AutoModelForCausalLM, AutoTokenizer

        self._torch = torch
        self.name = name
        self.device = device
        self._tokenizer: Any = AutoTokenizer.from_pretrained(str(folder), local_files_only=True, padding_side="left")
        if self._tokenizer.chat_template is None:
            raise NoChatTemplate(NO_TEMPLATE(folder=str(folder)))
        self._takes_system = self._renders_system()
        if self._tokenizer.pad_token_id is None:
            self._tokenizer.pad_token = self._tokenizer.eos_token
        dtype = torch.bfloat16 if device.startswith("cuda") else torch.float32
        model: Any = AutoModelForCausalLM.from_pretrained(str(folder), local_files_only=True, dtype=dtype)
        self._model = model.to(device).eval()
        positions = getattr(self._model.config, "max_position_embeddings", context_tokens)
        self.context_tokens = min(context_tokens, positions)

    def count_tokens(self, request: ChatRequest) -> int:
        return len(self._tokenizer(self._prompt(request), add_special_tokens=False).input_ids)

    def complete(self, requests: Sequence[ChatRequest]) -> list[ChatOutcome]:
        outcomes: list[ChatOutcome | None] = [
            too_long(self.count_tokens(request), request, self.context_tokens) for request in requests
        ]
        fitting = [index for index, outcome in enumerate(outcomes) if outcome is None]
        if fitting:
            for index, answer in zip(fitting, self._answers([requests[at] for at in fitting]), strict=True):
                outcomes[index] = answer
        return [outcome for outcome in outcomes if outcome is not None]

    def rest(self) -> None:
        """Nothing to free: Serve ends the replica when the model is idle."""

    def close(self) -> None:
        del self._model
        if self.device.startswith("cuda"):
            self._torch.cuda.empty_cache()

    def _prompt(self, request: ChatRequest) -> str:
        messages = request.messages if request.record is None else with_form(request.messages, LINES_FORM)
        return self._render(messages if self._takes_system else without_system(messages))

    def _render(self, messages: Sequence[ChatMessage]) -> str:
        prompt: str = self._tokenizer.apply_chat_template(
            [{"role": str(message.role), "content": message.content} for message in messages],
            add_generation_prompt=True,
            tokenize=False,
            enable_thinking=False,
        )
        return prompt

    def _renders_system(self) -> bool:
        from jinja2.exceptions import TemplateError

        try:
            self._render(conversation("System.", "User."))
        except TemplateError:
            return False
        return True

    def _answers(self, requests: Sequence[ChatRequest]) -> list[ChatOutcome]:
        prompts = [self._prompt(request) for request in requests]
        padded = self._tokenizer(prompts, add_special_tokens=False, padding=True, return_tensors="pt").to(self.device)
        longest = max(request.max_tokens for request in requests)
        with self._torch.inference_mode():
            generated = self._model.generate(
                **padded, max_new_tokens=longest, do_sample=False, pad_token_id=self._tokenizer.pad_token_id
            )
        ends = self._model.generation_config.eos_token_id
        end_ids = set(ends if isinstance(ends, list) else [ends])
        answers: list[ChatOutcome] = []
        for request, row in zip(requests, generated[:, padded.input_ids.shape[1] :].tolist(), strict=True):
            length = next((at for at, token in enumerate(row) if token in end_ids), len(row))
            ids = row[: min(length, request.max_tokens)]
            text = self._tokenizer.decode(ids, skip_special_tokens=True)
            answers.append(ChatAnswer(text, length < request.max_tokens, len(ids)))
        return answers
