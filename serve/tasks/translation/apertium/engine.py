"""Apertium: rules and dictionaries, which work offline for the few installed pairs.

Each batch is one run of the program, which ends with its batch: the pipeline of a pair starts in 0.1 s, and its mode
that stays alive (`-z`) did not answer before its input ended, or lost whole passages.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
from collections import defaultdict
from collections.abc import Sequence

from cluster.wording.message import Message, Wording
from serve.core.messages import EngineProblem, EngineRefused
from serve.core.text.language_codes import canonical
from serve.tasks.translation.apertium.words import with_marks, word_links
from serve.tasks.translation.engine import Sentence
from serve.tasks.translation.guard import is_broken
from serve.tasks.translation.messages import Hypothesis
from serve.tasks.translation.pairs import Pair, PairSet

PROGRAM = "apertium"
DEADLINE_S = 120.0
LISTING_S = 15.0
NOTE = Message(
    "translation.apertium_note", "Rule-based and rough: expect literal sentences, and unknown words left as they are."
)
TOO_SLOW = Wording("translation.apertium_slow", "Apertium did not translate {count} passages in {seconds} seconds.")
FAILED = Wording("translation.apertium_failed", "Apertium failed ({cause}).")
LICENCE = "gpl-2.0-or-later"

SEPARATOR = "[][\n\n]"
"""Ends a passage: formatting, which the program copies as it is. The full stop before it ends the sentence."""
_SPECIAL = re.compile(r"([\[\]{}^$/\\@<>])")
_ESCAPED = re.compile(r"\\(.)")
_MODE = re.compile(r"^[a-z]{3}-[a-z]{3}$")


class ApertiumTranslator:
    """The installed pairs of the program."""

    name = PROGRAM
    effort = 3

    def __init__(self) -> None:
        self._modes = installed_modes()
        self.pairs = PairSet(single=frozenset(self._modes))

    def translate(self, sentences: Sequence[Sentence]) -> list[tuple[Hypothesis, ...]]:
        found: list[tuple[Hypothesis, ...]] = [()] * len(sentences)
        by_pair: dict[Pair, list[int]] = defaultdict(list)
        for index, sentence in enumerate(sentences):
            by_pair[sentence.source, sentence.target].append(index)
        for pair, indexes in by_pair.items():
            texts = [sentences[index].text for index in indexes]
            plain, marked = run_with_marks(self._modes[pair], texts)
            for index, text, words in zip(indexes, plain, marked, strict=True):
                source = sentences[index].text
                if not is_broken(source, text):
                    found[index] = (Hypothesis(text, attention=word_links(source, text, words)),)
        return found

    def rest(self) -> None:
        """Nothing to free: no process outlives its batch."""

    def close(self) -> None:
        """Nothing to end."""


def installed_modes() -> dict[Pair, str]:
    """The program's translation mode of each pair; empty where it is not installed.

    Listing takes some milliseconds. Nothing is kept: pairs are installed while a process lives.
    """
    if shutil.which(PROGRAM) is None:
        return {}
    try:
        listed = subprocess.run([PROGRAM, "-l"], capture_output=True, text=True, timeout=LISTING_S, check=True).stdout
    except (subprocess.SubprocessError, OSError):
        return {}
    # Modes such as `spa-eng_US` are variants of the mode without a region.
    modes = [mode for mode in listed.split() if _MODE.match(mode)]
    return {(canonical(mode[:3]), canonical(mode[4:])): mode for mode in modes}


def run_mode(mode: str, texts: Sequence[str]) -> list[str]:
    """The translation of each text. Raises EngineRefused when the program fails or does not end in time."""
    return [_plain(text) for text in _run(mode, [_escaped(text) for text in texts])]


def run_with_marks(mode: str, texts: Sequence[str]) -> tuple[list[str], list[str]]:
    """`run_mode`, and the translations in which words carry the marks of their source words, from one run."""
    translated = _run(mode, [*map(_escaped, texts), *(with_marks(text, _escaped) for text in texts)])
    return [_plain(text) for text in translated[: len(texts)]], [_unescaped(text) for text in translated[len(texts) :]]


def _run(mode: str, texts: Sequence[str]) -> list[str]:
    """What the program writes for each of these escaped texts."""
    written = "".join(f"{text}.{SEPARATOR}" for text in texts)
    # A group of its own: the program is a shell script with ten programs in a row, which must all end with it.
    process = subprocess.Popen(
        [PROGRAM, "-u", "-f", "none", mode],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        start_new_session=True,
    )
    try:
        output, errors = process.communicate(written, timeout=DEADLINE_S)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        raise EngineRefused(EngineProblem.MODEL_FAILED, TOO_SLOW(count=len(texts), seconds=round(DEADLINE_S))) from None
    translated = output.split(SEPARATOR)[:-1]
    if process.returncode or len(translated) != len(texts):
        reason = errors.strip().splitlines()[-1] if errors.strip() else f"{len(translated)} of {len(texts)} passages"
        raise EngineRefused(EngineProblem.MODEL_FAILED, FAILED(cause=reason))
    return translated


def _plain(text: str) -> str:
    return " ".join(_unescaped(text.strip().removesuffix(".")).split())


def _escaped(text: str) -> str:
    return _SPECIAL.sub(lambda match: f"\\{match[1]}", text)


def _unescaped(text: str) -> str:
    return _ESCAPED.sub(r"\1", text)
