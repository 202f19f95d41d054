"""The language in the name of a subtitle file: `talk.en.srt`."""

from __future__ import annotations

from pipelines.languages import is_known


def language_in(stem: str) -> str | None:
    """The code before the suffix, `en` in the stem `talk.en`; None without a known one."""
    name, dot, code = stem.rpartition(".")
    return code if name and dot and is_known(code) else None


def without_language(stem: str) -> str:
    """`talk.en` -> `talk`."""
    return stem.rpartition(".")[0] if language_in(stem) is not None else stem
