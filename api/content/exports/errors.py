"""Refusals of export calls for which the page asks the person a question."""

from __future__ import annotations

from typing import Any

from api.platform.http.errors import Conflict
from pipelines.captions.fonts.glyphs import boxes_sentence


class MissingGlyphs(Conflict):
    """Some characters would be drawn as boxes. The page asks whether to burn them in anyway."""

    code = "missing_glyphs"

    def __init__(self, characters: list[str]) -> None:
        super().__init__(boxes_sentence(characters))
        self.characters = characters

    def body(self) -> dict[str, Any]:
        return {**super().body(), "data": {"characters": self.characters}}
