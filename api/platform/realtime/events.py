"""Build the events of all domains, so that none lacks its name or its sentence."""

from __future__ import annotations

from api.platform.realtime.messages import Action, PollingMessage, Topic
from api.platform.realtime.sentences import sentence_of

CHILD_PREFIX = "lang_"

NAME_CHARS = 200
"""The longest name in an event. It appears twice, an emoji takes 12 bytes each time, and the relay accepts 10 kB."""


def child_of(language: str) -> str:
    """The wire name of an export or a translation: `lang_is-IS`, with the whole code because zh and zh-TW differ."""
    return f"{CHILD_PREFIX}{language}"


def event(
    topic: Topic,
    action: Action,
    *,
    slug: str,
    name: str,
    progress: int = 0,
    child: str | None = None,
    language: str | None = None,
    what: str | None = None,
    reason: str | None = None,
    code: str | None = None,
    revision: int | None = None,
    text: str | None = None,
    is_sound: bool = False,
) -> PollingMessage:
    """An event about a file or an upload. `PollingMessage` explains the fields.

    `what` names the work in the sentence, such as a type of text. `reason` follows the sentence and says why something
    happened and what to do. A `code` that asks the person a question has its own sentence. `is_sound`: the file has
    no picture.
    """
    name = name if len(name) <= NAME_CHARS else f"{name[: NAME_CHARS - 1]}…"
    return PollingMessage(
        queue=topic,
        action=action,
        slug=slug,
        name=name,
        progress=progress,
        child=child,
        language=language,
        message=sentence_of(
            topic, action, name=name, language=language, what=what, reason=reason, code=code, is_sound=is_sound
        ),
        code=code,
        revision=revision,
        text=text,
    )
