from __future__ import annotations

from serve.testing.text import chat_root, selector, tiny_writer

__all__ = ["chat_root", "selector", "tiny_writer"]
