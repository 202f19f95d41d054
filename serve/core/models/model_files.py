"""Files by which a folder shows that it holds a model, and what is raised where there is none."""

from __future__ import annotations

MODEL_FILE = "model.bin"
"""The weights of a model in CTranslate2's form."""


class ModelMissing(RuntimeError):
    """The profile requires an engine whose model cannot be found; the message says where we looked."""
