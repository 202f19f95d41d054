"""The values that every model deployment exchanges with its callers. They are frozen and picklable."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from cluster.stored_sentences import SentenceText

NO_ENGINE = "none"
"""Engine of a task that cannot run; the reason says what to do."""


class WordTimes(StrEnum):
    """Where the times of single words come from."""

    NATIVE = "native"
    ALIGNER = "aligner"
    """From the model's attention or a second model."""
    NONE = "none"


@dataclass(frozen=True, slots=True, order=True)
class LanguagePair:
    """A direction of translation. `via` is the language it goes through where no model translates it directly."""

    source: str
    target: str
    via: str = ""


@dataclass(frozen=True, slots=True)
class EngineInfo:
    """Which engine a deployment loaded, why, and what it can do; pages offer nothing else.

    Languages are codes of the language lists without regions. `problem` says why a better model on this machine is not
    used; empty when there is none.
    """

    task: str
    engine: str
    model: str
    device: str
    reason: SentenceText
    languages: frozenset[str] = frozenset()
    """Languages it takes; empty when it takes every one."""
    detects_language: bool = False
    """Whether it can detect the spoken language."""
    problem: SentenceText = ""
    pairs: frozenset[LanguagePair] | None = None
    """Directions that a translation engine knows; None: any two of `languages`."""
    text_types: frozenset[str] = frozenset()
    """Kinds of AI text that it makes."""
    only_selects: bool = False
    """Whether it copies sentences of the transcript and writes none."""
    word_times: WordTimes = WordTimes.NONE
    word_probabilities: bool = True
    """Whether each word of a transcription has a probability of its own."""
    punctuates: bool = True
    """Whether it writes punctuation and capitals, or another model restores them."""
    takes_vocabulary: bool = False
    """Whether names and terms can be given to it."""
    takes_temperature: bool = False
    """Whether it can draw among likely texts instead of taking the likeliest."""
    token_limit: int | None = None
    """Tokens of one request, prompt and answer together; None: no such limit."""
    window_ms: int | None = None
    """Longest piece of sound it takes at once; None: no such limit."""
    is_batched: bool = False
    """Whether several items together take less time than one after the other."""
    licence: str = ""
    """Licence of the model, such as `mit`; empty where it is not known."""
    note: SentenceText = ""
    """What people should know about its results, as a sentence: "Rule-based: expect rough sentences."."""
    by_language: tuple[EngineInfo, ...] = ()
    """Engines that take some of the languages in its place; `languages` of each are those it is used for.

    One without any takes those that no other one knows.
    """
    name: str = ""
    """How a request names it; empty where none can."""
    others: tuple[EngineInfo, ...] = ()
    """Every engine that a request may name, this one among them. One that is not loaded is loaded by the request."""

    @property
    def can_run(self) -> bool:
        return self.engine != NO_ENGINE


class EngineProblem(StrEnum):
    """Why a deployment refuses a request."""

    UNKNOWN_LANGUAGE = "unknown_language"
    """It does not know the language, or the pair of languages."""
    OVERLOADED = "overloaded"
    """More work waits than it takes. Work that is refused with a time to retry after is not at fault."""
    RESTARTING = "restarting"
    """The replica that had the request ended; another one takes its place."""
    BAD_INPUT = "bad_input"
    TOO_LONG = "too_long"
    """More than the model reads at once; a shorter piece works."""
    LOST_STATE = "lost_state"
    """It does not hold what came before this. Sending that again helps."""
    MODEL_FAILED = "model_failed"


class EngineRefused(Exception):
    """A deployment refuses a request. `sentence` is for the user; `retry_after_s` is set when waiting helps."""

    def __init__(self, problem: EngineProblem, sentence: str, retry_after_s: float | None = None) -> None:
        super().__init__(problem, sentence, retry_after_s)
        self.problem = problem
        self.sentence = sentence
        self.retry_after_s = retry_after_s
