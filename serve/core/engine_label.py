"""How people know an engine and its model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePath


@dataclass(frozen=True, slots=True)
class EngineLabel:
    """How the models of one engine are named in words.

    `family` stands before the model's name; it is empty for engines that run models of many makers. `prefixes` of a
    model's name repeat the family. `models` are names of ours for models that come with the engine.
    """

    family: str = ""
    prefixes: tuple[str, ...] = ()
    models: Mapping[str, str] = field(default_factory=dict)
    shows_model: bool = True

    def of(self, engine: str, model: str) -> str:
        """The engine and `model` in words. A model may be named by its folder, whose place is left out."""
        if model in self.models:
            return self.models[model]
        if not self.shows_model:
            return self.family
        # In brackets follow the engines that take some of the languages; those have labels of their own.
        name = PurePath(model.partition(" (")[0]).name
        for prefix in self.prefixes:
            name = name.removeprefix(prefix)
        return " ".join(part for part in (self.family, name) if part and part != engine)
