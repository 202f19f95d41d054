"""The parameter of a caption call that chooses the track."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query

from api.platform.http.limits import LANGUAGE_CODE_MAX

Language = Annotated[str | None, Query(max_length=LANGUAGE_CODE_MAX)]
"""Without it the id chooses the track, or else it is the transcription."""
