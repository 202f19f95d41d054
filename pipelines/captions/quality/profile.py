"""Quality profiles: the limits that captions must keep to for one client, as data with its source."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from cluster.wording.message import Message
from pipelines.captions.texts.marks import SpeakerLabel
from pipelines.messages.caption_rules import DEFAULT_RULES, RULES_BY_LANGUAGE, CaptionRules

PROFILES_DIR = Path(__file__).with_name("profiles")
DEFAULT_ID = "default"
NAME_MAX = 80
RED_SHARE = 1.1
"""Beyond this multiple of a limit a finding is an error, as SceneCut has it."""


class Dash(StrEnum):
    """How a row of a dialogue begins."""

    HYPHEN = "hyphen"
    HYPHEN_SPACE = "hyphen_space"
    EN_DASH_SPACE = "en_dash_space"

    @property
    def mark(self) -> str:
        return {Dash.HYPHEN: "-", Dash.HYPHEN_SPACE: "- ", Dash.EN_DASH_SPACE: "– "}[self]


Milliseconds = Annotated[int, Field(ge=0, le=60_000)]
LanguageCode = Annotated[str, Field(min_length=2, max_length=20)]
Speed = Annotated[float, Field(ge=1, le=100)]


Limit = Literal[
    "max_row",
    "max_rows",
    "half_width",
    "max_speed",
    "red_speed",
    "min_ms",
    "max_ms",
    "gap_ms",
    "gap_frames",
    "close_below_ms",
    "word_ms",
    "follows_cuts",
    "early_ms",
    "late_ms",
    "linger_ms",
    "dash",
    "label",
    "numbers",
]


class QualityProfile(BaseModel):
    """The limits of one client or language. Times in milliseconds, speeds in characters a second.

    A limit of 0 or None is not checked. Where the frame rate is known, `gap_frames` replaces `gap_ms`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Annotated[str, Field(min_length=1, max_length=NAME_MAX)]
    source: Annotated[str, Field(max_length=300)] = ""
    ours: Annotated[tuple[Limit, ...], Field(max_length=18)] = ()
    """The limits that the source does not name and that we chose."""
    languages: Annotated[tuple[LanguageCode, ...], Field(max_length=20)] = ()
    """The codes, without a region, that the profile is made for; none for any language."""
    max_row: Annotated[int, Field(ge=5, le=100)]
    max_rows: Annotated[int, Field(ge=1, le=4)]
    half_width: bool = False
    """Latin letters and digits count half, as in Chinese, Japanese and Korean captions."""
    max_speed: Speed
    red_speed: Speed | None = None
    """From here on a finding is an error. None: 110 % of `max_speed`."""
    min_ms: Milliseconds
    max_ms: Annotated[int, Field(ge=500, le=60_000)]
    gap_ms: Annotated[int, Field(ge=0, le=5_000)]
    gap_frames: Annotated[int, Field(ge=1, le=50)] | None = None
    close_below_ms: Annotated[int, Field(ge=0, le=5_000)] = 0
    """A gap that is longer than the least gap and shorter than this should be closed to the least gap."""
    word_ms: Annotated[int, Field(ge=0, le=2_000)] = 0
    """A line must last this long for each word."""
    follows_cuts: bool = False
    early_ms: Milliseconds | None = None
    late_ms: Milliseconds | None = None
    linger_ms: Milliseconds | None = None
    """How much later than its last word a line may end, unless it needs the time to be read."""
    dash: Dash | None = None
    label: SpeakerLabel | None = None
    numbers: bool = False
    """Numbers up to ten, and numbers that begin a sentence, are written as words."""

    @model_validator(mode="after")
    def _has_order(self) -> QualityProfile:
        if self.min_ms >= self.max_ms:
            raise ValueError(
                Message(
                    "pipelines.captions.profile.durations",
                    "The shortest duration must be less than the longest.",
                )
            )
        if self.red_speed is not None and self.red_speed < self.max_speed:
            raise ValueError(
                Message(
                    "pipelines.captions.profile.speeds",
                    "The speed that counts as an error must not be below the speed limit.",
                )
            )
        return self

    def least_gap(self, fps: float | None) -> int:
        """The least gap between two lines in milliseconds, at this frame rate if there is one."""
        if self.gap_frames is None or not fps:
            return self.gap_ms
        # Rounded down as times on frames are: at 29.97, two of them are 66 or 67 ms apart.
        return int(self.gap_frames * 1000 / fps)

    def rules(self, fps: float | None = None) -> CaptionRules:
        """The rules by which lines are cut so that they keep to the profile."""
        return CaptionRules(
            max_row=self.max_row,
            max_rows=self.max_rows,
            warn_speed=self.max_speed,
            max_speed=self.max_speed,
            min_ms=self.min_ms,
            max_ms=self.max_ms,
            gap_ms=self.least_gap(fps),
        )


def _default(name: str, rules: CaptionRules, languages: tuple[str, ...] = ()) -> QualityProfile:
    # A Japanese reader is slow and a Latin name among kana is short, so half-width letters count half there.
    return QualityProfile(
        name=name,
        source="Sagascript; rows and speeds of other scripts as Netflix has them",
        ours=("max_speed", "min_ms", "gap_ms", "half_width") if languages else _OURS,
        languages=languages,
        max_row=rules.max_row,
        max_rows=rules.max_rows,
        half_width=bool({"zh", "ja", "ko"} & set(languages)),
        max_speed=rules.warn_speed,
        red_speed=rules.max_speed,
        min_ms=rules.min_ms,
        max_ms=rules.max_ms,
        gap_ms=rules.gap_ms,
    )


_OURS: tuple[Limit, ...] = ("max_row", "max_rows", "max_speed", "red_speed", "min_ms", "max_ms", "gap_ms")
_NAMES = {"zh": "Chinese", "ko": "Korean", "ja": "Japanese", "th": "Thai", "hi": "Hindi"}


@lru_cache(maxsize=1)
def built_in_profiles() -> Mapping[str, QualityProfile]:
    """All profiles that come with the product by their ids, our default first."""
    found = {DEFAULT_ID: _default("Sagascript", DEFAULT_RULES)}
    for code, name in _NAMES.items():
        languages = tuple(each for each, rules in RULES_BY_LANGUAGE.items() if rules == RULES_BY_LANGUAGE[code])
        found[f"{DEFAULT_ID}_{code}"] = _default(f"Sagascript {name}", RULES_BY_LANGUAGE[code], languages)
    for path in sorted(PROFILES_DIR.glob("*.toml")):
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
        base = tables.pop("base")
        found |= {key: QualityProfile.model_validate({**base, **table}) for key, table in tables.items()}
    return MappingProxyType(found)


def default_id(language: str) -> str:
    """The profile of captions for which nobody chose one, by their language code such as `ja` or `zh-TW`."""
    code = language.partition("-")[0].lower()
    for key, profile in built_in_profiles().items():
        if key.startswith(DEFAULT_ID) and code in profile.languages:
            return key
    return DEFAULT_ID
