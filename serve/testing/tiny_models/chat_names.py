"""Special tokens of the tiny chat model."""

from __future__ import annotations

PAD, START, END = "<|endoftext|>", "<|im_start|>", "<|im_end|>"
