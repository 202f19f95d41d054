from __future__ import annotations

import uuid
from enum import StrEnum
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from api.platform.http.limits import LANGUAGE_CODE_MAX, QUALITY_SOURCE_MAX
from api.platform.http.text import CLEAN_LINE
from pipelines.captions.quality.findings import Finding, Fix, Rule, Severity
from pipelines.captions.quality.profile import NAME_MAX, QualityProfile
from pipelines.captions.quality.sentences import reason_of, sentence_of

PROFILE_ID_MAX = 60
ProfileId = Annotated[str, Field(max_length=PROFILE_ID_MAX)]


class ProfileScope(StrEnum):
    """Whose a profile is. Those that come with the product belong to nobody."""

    BUILT_IN = "built_in"
    USER = "user"
    TEAM = "team"


class OwnScope(StrEnum):
    """To whom a new profile belongs."""

    USER = "user"
    TEAM = "team"


class ProfileIn(QualityProfile):
    """The limits of a profile of one's own."""

    model_config = ConfigDict(extra="ignore")

    name: Annotated[str, StringConstraints(min_length=1, max_length=NAME_MAX), CLEAN_LINE]
    source: Annotated[str, StringConstraints(max_length=QUALITY_SOURCE_MAX), CLEAN_LINE] = ""

    @property
    def limits(self) -> QualityProfile:
        return QualityProfile.model_validate(self.model_dump(include=set(QualityProfile.model_fields)))


class NewProfile(ProfileIn):
    """`scope`: to whom it belongs. Without it, to the active team if there is one, else to oneself."""

    scope: OwnScope | None = None


class ProfileOut(BaseModel):
    """A profile with its limits. `may_change` is false for built-in ones and for a team's that one may only see."""

    id: str
    scope: ProfileScope
    may_change: bool
    limits: QualityProfile


class RuleTexts(BaseModel):
    """What the page says about findings in one language. Values stand in braces."""

    titles: dict[Rule, str]
    sentences: dict[Rule, str]
    reasons: dict[str, str]
    severities: dict[Severity, str]


class QualityRules(BaseModel):
    """What the page needs to find the same as the server: texts by language, and words that lean on the next one.

    `leaning` has these words by language code, `leaning_anywhere` those for languages without a list.
    """

    texts: dict[str, RuleTexts]
    leaning: dict[str, list[str]]
    leaning_anywhere: list[str]


class FixOut(BaseModel):
    """A safe change of one line: its new text and times, or its removal. `reason` says why, in English."""

    line: str
    content: str | None
    start: int | None
    end: int | None
    removes: bool
    reason_key: str
    reason: str
    values: dict[str, int | float | str]


class FindingOut(BaseModel):
    """A rule that a line breaks. `lines` begins with that line; `sentence` is English."""

    rule: Rule
    severity: Severity
    lines: list[str]
    values: dict[str, int | float | str]
    sentence: str
    fix: FixOut | None


class SafeChange(BaseModel):
    """What fixing everything that is safe does to one line."""

    line: str
    content: str | None
    start: int | None
    end: int | None


class QualityReport(BaseModel):
    """The findings of a track at a revision. It is `clean` without errors and warnings; hints do not count.

    `changes` and `removed` are all safe fixes together, as one step. `cuts_ms` are the shot changes of the file.
    `undrawable` are characters that no font can draw.
    """

    profile: str
    revision: int
    clean: bool
    counts: dict[Severity, int]
    findings: list[FindingOut]
    changes: list[SafeChange]
    removed: list[str]
    cuts_ms: list[int]
    undrawable: list[str]


class ProfileChoice(BaseModel):
    """The profile of a track; None for the one that its language has by default."""

    language: str | None = Field(None, max_length=LANGUAGE_CODE_MAX)
    profile: ProfileId | None


class ChosenProfile(BaseModel):
    """`chosen` is None where the language decides. `profile` is the one in force."""

    chosen: str | None
    profile: str


class Recut(BaseModel):
    """Cut the lines again by the profile in force. `issued` is the newest revision the editor has seen."""

    issued: int = Field(ge=0)
    language: str | None = Field(None, max_length=LANGUAGE_CODE_MAX)
    command: uuid.UUID | None = None


def finding_out(finding: Finding) -> FindingOut:
    return FindingOut(
        rule=finding.rule,
        severity=finding.severity,
        lines=list(finding.line_ids),
        values=dict(finding.values),
        sentence=sentence_of(finding),
        fix=None if finding.fix is None else _fix_out(finding.fix),
    )


def _fix_out(fix: Fix) -> FixOut:
    return FixOut(
        line=fix.line_id,
        content=fix.text,
        start=fix.start_ms,
        end=fix.end_ms,
        removes=fix.removes,
        reason_key=fix.reason,
        reason=reason_of(fix),
        values=dict(fix.values),
    )
