"""The edits of captions on the wire: one model for each action, with `action` as the discriminator."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self, TypeAlias

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ModelWrapValidatorHandler,
    RootModel,
    ValidationError,
    model_validator,
)

from api.content.captions.actions import CaptionAction
from api.content.captions.errors import EditFailed
from api.platform.http.fields import field_sentence
from api.platform.http.limits import CAPTION_TEXT_MAX, LANGUAGE_CODE_MAX, REVISION_LABEL_MAX
from api.platform.http.text import CLEAN_LINE
from cluster.wording.message import Message
from pipelines.captions.limits import BULK_LINES_MAX, LINE_CHARS_MAX
from pipelines.captions.quality.profile import Dash
from pipelines.messages.lines import LinePlace, WordStyle

Time: TypeAlias = str | int
"""`hh:mm:ss,mmm`, or milliseconds."""

Content = Annotated[str | None, Field(max_length=CAPTION_TEXT_MAX)]

_OFFSET_MAX_MS = 360_000_000


class _Edit(BaseModel):
    """`issued` is the newest revision the editor has seen, and `language` the track.

    `command` is the id of this change. A repeat after a lost answer is answered and changes nothing.
    """

    issued: int = Field(ge=0)
    language: str | None = Field(None, max_length=LANGUAGE_CODE_MAX)
    command: uuid.UUID | None = None


class PlaceIn(BaseModel):
    """Where a line stands: `align` 1 to 9 as on a numeric keypad; `x` and `y`, or null."""

    align: int = Field(ge=1, le=9)
    x: float | None = Field(ge=0, le=1)
    y: float | None = Field(ge=0, le=1)

    @model_validator(mode="after")
    def _both_or_neither(self) -> PlaceIn:
        if (self.x is None) != (self.y is None):
            raise ValueError(Message("captions.edit.place_half", "Give both x and y of the place, or neither."))
        return self

    @property
    def value(self) -> LinePlace:
        return LinePlace(self.align, self.x, self.y)


class EditLine(_Edit):
    """Set the text of a line, its times, or both."""

    action: Literal[CaptionAction.EDIT]
    line: uuid.UUID
    start: Time | None = None
    end: Time | None = None
    content: Content = None


class DeleteLine(_Edit):
    """Remove a line."""

    action: Literal[CaptionAction.DELETE]
    line: uuid.UUID


class MergeLines(_Edit):
    """Join a line with the line `with`, or with the next one when `with` is unset.

    With a `dash`, the two texts become rows of a dialogue that begin with it, unless one is empty or has dashes.
    """

    model_config = ConfigDict(populate_by_name=True)

    action: Literal[CaptionAction.MERGE]
    line: uuid.UUID
    with_: uuid.UUID | None = Field(None, alias="with")
    dash: Dash | None = None


class AddLine(_Edit):
    """Insert a line. `new_line` is its id, so that an editor can use it before the answer.

    With a `place` at the top it may be on screen together with a line at the bottom.
    """

    action: Literal[CaptionAction.ADD]
    start: Time
    end: Time
    content: Content = None
    new_line: uuid.UUID | None = None
    place: PlaceIn | None = None


class SplitLine(_Edit):
    """Cut a line in two at the caret `at`. `new_line` is the id of the second part.

    `at` counts UTF-16 units, as browsers do, in `content`, or in the saved text when `content` is unset.
    """

    action: Literal[CaptionAction.SPLIT]
    line: uuid.UUID
    at: int = Field(ge=0)
    content: Content = None
    new_line: uuid.UUID | None = None


class MoveLines(_Edit):
    """Shift all lines by `offset` milliseconds, or extend their ends by as much as there is room for."""

    action: Literal[CaptionAction.SHIFT, CaptionAction.EXTEND]
    offset: int = Field(ge=-_OFFSET_MAX_MS, le=_OFFSET_MAX_MS)


class LineChangeIn(BaseModel):
    """New text of a line, its times in milliseconds, place, look, lock and whether it is forced.

    What is left out stays as it is.
    A `place` of null is the bottom centre. `styles` has those of each word, after the new text if there is one.
    """

    line: uuid.UUID
    content: Content = None
    start: int | None = None
    end: int | None = None
    place: PlaceIn | None = None
    styles: Annotated[list[set[WordStyle]], Field(max_length=LINE_CHARS_MAX)] | None = None
    locked: bool | None = None
    forced: bool | None = None


class AddedLineIn(BaseModel):
    """A new line, with times in milliseconds. `new_line` is its id. A `place` of null is the bottom centre."""

    new_line: uuid.UUID
    start: int
    end: int
    content: Content = None
    place: PlaceIn | None = None


class ChangeLines(_Edit):
    """Many changes as one step of the history, which calls it `label`. At most 20,000 lines.

    Only the state after all changes must fit: no two lines of one part of the picture (top, middle, bottom) at once.
    `with_words`: words move and stretch with their lines, as in a Shift; otherwise they stay with the sound.
    """

    action: Literal[CaptionAction.CHANGE]
    label: Annotated[str, Field(min_length=1, max_length=REVISION_LABEL_MAX), CLEAN_LINE]
    changes: list[LineChangeIn] = Field(default=[], max_length=BULK_LINES_MAX)
    added: list[AddedLineIn] = Field(default=[], max_length=BULK_LINES_MAX)
    removed: list[uuid.UUID] = Field(default=[], max_length=BULK_LINES_MAX)
    with_words: bool = False

    @property
    def size(self) -> int:
        """How many lines it names."""
        return len(self.changes) + len(self.added) + len(self.removed)


class StepThroughHistory(_Edit):
    """Undo the newest change in force, or redo the change undone last."""

    action: Literal[CaptionAction.UNDO, CaptionAction.REDO]


class ChangeNothing(_Edit):
    """Change nothing. The answer names the newest revision."""

    action: Literal[CaptionAction.NONE]


LineEdit: TypeAlias = EditLine | DeleteLine | MergeLines | AddLine | SplitLine
AnyEdit: TypeAlias = LineEdit | ChangeLines | MoveLines | StepThroughHistory | ChangeNothing


class CaptionEdit(RootModel[Annotated[AnyEdit, Field(discriminator="action")]]):
    """One change of captions. Its fields depend on the action. Others are ignored."""

    @model_validator(mode="wrap")
    @classmethod
    def _refuse_with_a_sentence(cls, value: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        """Raises `EditFailed`, like every other refusal of an edit, so that the editor reads one form."""
        try:
            return handler(value)
        except ValidationError as error:
            errors: dict[str, list[str]] = {}
            for problem in error.errors():
                field, sentence = _sentence(problem)
                errors.setdefault(field, [sentence])
            raise EditFailed(next(iter(errors.values()))[0], errors=errors) from error


_MISSING = {
    "line": Message("captions.say_which_line_meant", "Say which line is meant."),
    "at": Message("captions.edit.split_without_caret", "A split needs the position of the caret."),
    "start": Message("captions.edit.times_missing", "A new line needs a start and an end."),
    "end": Message("captions.edit.times_half", "A new line needs a start and an end."),
    "offset": Message("captions.edit.offset_missing", "Say by how many milliseconds the lines should be moved."),
}


def _sentence(problem: Mapping[str, Any]) -> tuple[str, str]:
    """The field a problem is about, and what to tell the person."""
    kind = problem["type"]
    if kind == "union_tag_not_found":
        return field_sentence({**problem, "type": "missing", "loc": ("action",)})
    if kind == "union_tag_invalid":
        return field_sentence({**problem, "loc": ("action",)})
    # The location begins with the action, and ends with a type where a field takes several.
    field = str(problem["loc"][1]) if len(problem["loc"]) > 1 else "body"
    if field in _MISSING and (kind == "missing" or problem["input"] is None):
        return field, _MISSING[field]
    return field_sentence({**problem, "loc": (field,)})
