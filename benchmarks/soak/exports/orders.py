"""What an export of the campaign is to be: a number always gives the same order."""

from __future__ import annotations

import random
from dataclasses import dataclass

from pipelines.captions.picture.built_in_styles import BUILT_IN_STYLES
from pipelines.messages.export_form import (
    FORMS_OF_MODE,
    Aspect,
    Clip,
    ExportForm,
    ExportMode,
    FileForm,
    Fit,
    PictureForm,
    Quality,
)
from pipelines.testing.media.films import FILMS, Film

LANGUAGES = {"is-IS": "isl", "en-US": "eng", "pt-BR": "por", "de-DE": "deu", "ar-SA": "ara"}
_WORDS = ["Hæ", "Hello", "MMM", "العربية", "日本語", "<i>x</i>", "{\\b1}", "C:\\new", "a&b", "🙂", "-->"]
_SHAPED = 0.4
_CLIPPED = 0.25


@dataclass(frozen=True, slots=True)
class Order:
    """`captions` are start and end in milliseconds of the original; `texts` are theirs. `knows_facts`: as after ingest.

    `language_codes` are locales, of which a drawn picture takes the first.
    """

    number: int
    film: Film
    mode: ExportMode
    form: ExportForm
    captions: tuple[tuple[int, int], ...]
    texts: tuple[str, ...]
    language_codes: tuple[str, ...]
    style_id: str
    knows_facts: bool


def order_of(seed: int, number: int) -> Order:
    chance = random.Random(f"{seed}:{number}")
    film = list(FILMS.values())[number % len(FILMS)]
    modes = [ExportMode.BURNED, ExportMode.BURNED, ExportMode.SOFT, ExportMode.SOFT]
    mode = chance.choice([*modes, ExportMode.AUDIO] if film.sounds else modes)
    forms = [form for form in FORMS_OF_MODE[mode] if form is not FileForm.WEBM or film.name.endswith(".webm")]
    whole = film.captions
    captions = whole if chance.random() < 0.6 else [(start, start + 400) for start, _ in whole]
    if chance.random() < 0.2:
        # After the end, where nothing shows.
        captions = [*captions, (3_600_000, 3_601_000)]
    is_drawn = mode is ExportMode.BURNED
    picture = PictureForm()
    if is_drawn:
        shaped = chance.random() < _SHAPED
        picture = PictureForm(
            chance.choice(list(Aspect)) if shaped else Aspect.ORIGINAL,
            chance.choice(list(Fit)),
            chance.choice((None, None, 160, 120)),
            chance.choice(list(Quality)),
            round(chance.random(), 2),
            round(chance.random(), 2),
        )
    clip = None
    if chance.random() < _CLIPPED:
        start_ms, end_ms = whole[0]
        # Between frames: which side a frame falls on must not hang on a container's rounding.
        clip = Clip(start_ms - 10 * chance.randrange(40) - 5, end_ms + 10 * chance.randrange(30) + 5)
    return Order(
        number,
        film,
        mode,
        ExportForm(chance.choice(forms), picture, None, clip),
        tuple(captions),
        tuple(" ".join(chance.choices(_WORDS, k=chance.randrange(1, 5))) + " MMM" for _ in captions),
        tuple(chance.sample(list(LANGUAGES), 1 if is_drawn else chance.randrange(1, 4))),
        chance.choice(list(BUILT_IN_STYLES)),
        chance.random() < 0.5,
    )
