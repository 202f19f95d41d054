"""A profile's section for one task, with what the command line says instead."""

from __future__ import annotations

from pydantic import ValidationError

from benchmarks.measure.datasets.folder import BadDataset
from benchmarks.measure.models.child import Json
from serve.profile import BadProfile, load_profile


class BadChoice(BadDataset):
    """Options that fit nothing on this machine. The message says what to do."""


def section_with(profile: str, task: str, overlay: Json) -> Json:
    """Raises BadChoice."""
    try:
        section = load_profile(profile).section(task)
        if section is None:
            raise BadChoice(f"The profile “{profile}” has no section “{task}”.")
        return type(section).model_validate({**section.model_dump(), **overlay}).model_dump(mode="json")
    except BadProfile as problem:
        raise BadChoice(str(problem)) from problem
    except ValidationError as wrong:
        problems = "; ".join(f"{'.'.join(map(str, error['loc']))}: {error['msg']}" for error in wrong.errors())
        raise BadChoice(f"The options do not fit: {problems}.") from wrong
