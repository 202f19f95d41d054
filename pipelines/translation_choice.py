"""Which translations the installation can make, and why another one is refused."""

from __future__ import annotations

from collections.abc import Iterable

from pipelines.languages import BROAD, language_label, locale_of, whisper_code
from serve.capability import Capability, TaskState, engine_label, pair_from_to
from serve.messages import EngineInfo, LanguagePair

NO_MODEL = "No translation model is installed"
NOT_RUNNING = "The translation model is not running"
NOT_KNOWN = "The translation model does not know this pair"
SAME = "The captions are in this language already"

_GET_ONE = (
    "No translation model is installed, so captions cannot be translated yet. An administrator can get one with "
    "`sagascript models list` and `sagascript models pull NAME`."
)
_NAMED_MAX = 8
"""Languages that a refusal names. A model that knows a hundred needs no list."""


def unavailable_reason(capability: Capability, source: str, target: str) -> str | None:
    """A short phrase that says why captions cannot be translated now. Codes are of the language lists.

    None when they can, and while the model starts: the job checks when it begins.
    """
    if _bare(source) == _bare(target):
        return SAME
    if not capability.may_work:
        return NO_MODEL if capability.state is TaskState.MISSING else NOT_RUNNING
    loaded = capability.loaded
    return None if loaded is None or pair(loaded, source, target) is not None else NOT_KNOWN


def refusal(capability: Capability, source: str, target: str) -> str:
    """The sentence for a person who chose a translation that cannot be made. It names what works."""
    spoken, wanted = language_label(source), language_label(target)
    if _bare(source) == _bare(target):
        return f"The captions are in {spoken} already. Choose another language."
    if capability.loaded is None or not capability.may_work:
        return capability.sentence or _GET_ONE
    works = [option.label for option in BROAD if unavailable_reason(capability, source, option.value) is None]
    name = engine_label(capability.loaded.engine, capability.loaded.model)
    if not works:
        return f"The translation model {name} cannot translate from {spoken}."
    return f"The translation model {name} cannot translate {spoken} to {wanted}. It can translate to {_named(works)}."


def via(loaded: EngineInfo, source: str, target: str) -> str:
    """What translates, in words: the engine, and the language it goes through where it does."""
    label = engine_label(loaded.engine, loaded.model)
    between = pair(loaded, source, target)
    through = f", through {language_label(locale_of(between.via))}" if between is not None and between.via else ""
    return f"{label}{through}"


def pair(loaded: EngineInfo, source: str, target: str) -> LanguagePair | None:
    """How the engine translates between two languages of the lists; None where it cannot."""
    return pair_from_to(loaded, _bare(source), _bare(target))


def _bare(code: str) -> str:
    """The code without its region, as engines know it."""
    return whisper_code(code) or ""


def _named(labels: Iterable[str]) -> str:
    names = list(dict.fromkeys(labels))
    if len(names) > _NAMED_MAX:
        return f"{', '.join(names[:_NAMED_MAX])} and {len(names) - _NAMED_MAX} more languages"
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
