"""Says which engines follow live speech on this machine, or why none does. Nothing here loads one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from cluster.sentences import paragraph
from cluster.wording.message import Message, Wording
from serve.core.messages import NO_ENGINE, EngineInfo
from serve.core.settings import ModelSettings
from serve.tasks.live.messages import LIVE
from serve.tasks.live.pocketsphinx.info import live_info
from serve.tasks.live.profile import AUTO, LiveProfile
from serve.tasks.live.sherpa.family import StreamingFamily
from serve.tasks.live.sherpa.registry import FAMILIES, family_of
from serve.tasks.transcription.messages import OFFLINE_ENGINE
from serve.tasks.transcription.sherpa.folder import SherpaFolder
from serve.tasks.transcription.sherpa.opening import local_folders, named_folders, open_models, shared_out

TURNED_OFF = Message(
    "live.turned_off", "The profile turns it off: live captions come from the speech model that transcribes files."
)
BUILT_IN = Message(
    "live.built_in",
    "The built-in engine follows live speech in English. Where a better speech model is installed, that one makes live "
    "captions, in all its languages.",
)
FOLLOWS = Wording("live.follows", "{family} “{name}” follows live speech in {languages}: {reason}.")
NONE_OF_FAMILY = Wording("live.none_of_family", "The profile allows only {engine}, and there is no such model here.")


@dataclass(frozen=True, slots=True)
class FoundStreaming:
    """A streaming model on this machine, and the languages that it is used for."""

    family: StreamingFamily
    model: SherpaFolder
    reason: str
    languages: frozenset[str]

    @property
    def sentence(self) -> str:
        return FOLLOWS(
            family=str(self.family.label.family),
            name=self.model.path.name,
            languages=", ".join(sorted(self.languages)),
            reason=self.reason,
        )

    def info(self, reason: str) -> EngineInfo:
        return replace(self.family.info(self.model, str(self.model.path), reason), languages=self.languages)


@dataclass(frozen=True, slots=True)
class LiveChoice:
    """Which models to load, the first one first; whether the built-in engine takes English; and why, for people."""

    models: tuple[FoundStreaming, ...]
    has_built_in: bool
    reason: str

    @property
    def info(self) -> EngineInfo:
        """The engine before it is loaded."""
        parts = [found.info(self.reason) for found in self.models]
        if self.has_built_in:
            parts.append(live_info(self.reason))
        if not parts:
            return EngineInfo(LIVE, NO_ENGINE, "", "", self.reason)
        first, *others = parts
        languages = frozenset[str]().union(*(part.languages for part in parts))
        return replace(first, languages=languages, by_language=tuple(others))


def choose_live(profile: LiveProfile, settings: ModelSettings, models_root: Path) -> LiveChoice:
    """The streaming models of this machine by language, and the built-in engine where none of them knows English."""
    if profile.engine == NO_ENGINE:
        return LiveChoice((), False, TURNED_OFF)
    if profile.engine == OFFLINE_ENGINE:
        return LiveChoice((), True, BUILT_IN)
    names = settings.live_models
    folders = named_folders(names, models_root) if names else local_folders(models_root, family_of)
    models = open_models(folders, settings, family_of)
    opened = [each for each in models.opened if profile.engine in (AUTO, each[0].name)]
    if not names:
        opened.sort(key=lambda each: FAMILIES.index(each[0]))
    found = tuple(FoundStreaming(*each) for each in shared_out(opened))
    sentences = [*(each.sentence for each in found), *models.problems]
    if profile.engine != AUTO:
        reason = paragraph(*sentences) if found else paragraph(NONE_OF_FAMILY(engine=profile.engine), *models.problems)
        return LiveChoice(found, False, reason)
    english = live_info("").languages
    has_built_in = not any(each.languages & english for each in found)
    return LiveChoice(found, has_built_in, paragraph(*sentences, *([BUILT_IN] if has_built_in else [])))
