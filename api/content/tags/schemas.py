from __future__ import annotations

import uuid
from typing import Annotated

from pydantic import BaseModel, StringConstraints

from api.content.tags.models import TagColour
from api.platform.http.limits import TAG_NAME_MAX
from api.platform.http.text import CLEAN_LINE

TagName = Annotated[str, StringConstraints(min_length=1, max_length=TAG_NAME_MAX), CLEAN_LINE]


class TagOut(BaseModel):
    """A tag as files show it. `team_id` is null for a person's own."""

    slug: str
    name: str
    colour: TagColour
    team_id: uuid.UUID | None


class CountedTag(TagOut):
    """A tag in the list of tags. `files` counts those the viewer may see, without the bin."""

    id: uuid.UUID
    files: int
    may_change: bool


class NewTag(BaseModel):
    """`tag` is the name. Without a `colour`, the tag gets the one that is used least."""

    tag: TagName
    colour: TagColour | None = None


class TagChange(BaseModel):
    name: TagName | None = None
    colour: TagColour | None = None
