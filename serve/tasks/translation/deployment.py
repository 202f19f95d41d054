"""The `Translator` deployment: translation models behind Ray Serve."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from ray.serve import Application

from serve.chat.settings import ChatSettings, Endpoint
from serve.core.replica.deployment import ModelReplica, model_application
from serve.core.replica.model_watch import ModelWatch
from serve.core.settings import ModelSettings
from serve.tasks.translation.choice import choose
from serve.tasks.translation.engine import TranslationEngine
from serve.tasks.translation.load import load_chosen
from serve.tasks.translation.profile import TranslationProfile
from serve.tasks.translation.task import TRANSLATION_TASK


class Translator(ModelReplica[TranslationEngine]):
    """Translates passages, and uses models that arrive in the models folder for the files that start afterwards."""

    def __init__(
        self,
        profile: TranslationProfile,
        settings: ModelSettings,
        models_root: Path,
        *,
        endpoint: Endpoint | None,
        may_download: bool,
    ) -> None:
        look = partial(choose, profile, settings, models_root, endpoint)
        choice = look(may_download=may_download)
        load = partial(load_chosen, profile, settings)
        super().__init__(TRANSLATION_TASK, load(choice), profile.limits)
        self._watch = ModelWatch(
            TRANSLATION_TASK, choice, choose=look, load=load, on_loaded=self.succeed, on_problem=self.report_problem
        )
        self._watch.start()

    def close(self) -> None:
        if hasattr(self, "_watch"):
            self._watch.stop()
        super().close()


def build_app(
    profile: TranslationProfile, settings: ModelSettings, models_root: Path, *, replicas_download: bool
) -> Application:
    """`replicas_download`: each replica downloads the models that are named and missing when it starts."""
    return model_application(
        Translator,
        profile,
        profile,
        settings,
        models_root,
        # Read here, where the setting is; the key reaches only this replica.
        endpoint=ChatSettings().endpoint,
        may_download=replicas_download,
    )
