from __future__ import annotations

import uuid
from typing import Annotated

from pydantic import BaseModel, Field, StringConstraints

from api.platform.http.limits import LANGUAGE_CODE_MAX, REVIEW_KEY_MAX, REVIEWED_SPOTS_MAX


class ReviewedSpot(BaseModel):
    """A spot of a line. `key` names the kind of spot, its word and the text of the line, as the editor makes it."""

    line: uuid.UUID
    key: Annotated[str, StringConstraints(min_length=1, max_length=REVIEW_KEY_MAX)]


class ReviewMarks(BaseModel):
    """Spots that are right as they are (`kept`), or are to be reviewed again."""

    spots: Annotated[list[ReviewedSpot], Field(min_length=1, max_length=REVIEWED_SPOTS_MAX)]
    kept: bool
    language: Annotated[str | None, Field(max_length=LANGUAGE_CODE_MAX)] = None


class OutsideProposalOut(BaseModel):
    """Another text for a line, and the text that it was compared with."""

    line: str
    start_ms: int
    text: str
    proposed: str


class OutsideReviewOut(BaseModel):
    """`unplaced` are texts that belong to no line."""

    proposals: list[OutsideProposalOut]
    unplaced: list[str]


class ReviewOut(BaseModel):
    """The spots of a track that somebody found right."""

    kept: list[ReviewedSpot]
