"""Reads a Dockerfile into stages and steps. It knows the forms that ours use and refuses others."""

from __future__ import annotations

import json
import re
import shlex
from dataclasses import dataclass, field
from pathlib import Path

_FROM = re.compile(r"^(?P<base>\S+)(?:\s+AS\s+(?P<name>\S+))?$", re.IGNORECASE)
_KNOWN = frozenset(["RUN", "COPY", "ENV", "USER", "WORKDIR", "VOLUME", "EXPOSE", "HEALTHCHECK", "ENTRYPOINT", "CMD"])


class BadDockerfile(ValueError):
    """A line that this reader does not know; the text names it."""


@dataclass(frozen=True, slots=True)
class Step:
    instruction: str
    arguments: str
    line: int

    @property
    def words(self) -> list[str]:
        """The arguments: of a JSON list, or split as a shell would."""
        if self.arguments.startswith("["):
            listed: list[str] = json.loads(self.arguments)
            return listed
        return shlex.split(self.arguments)


@dataclass(slots=True)
class Stage:
    name: str
    base: str
    """An image or an earlier stage."""
    steps: list[Step] = field(default_factory=list)


def read_dockerfile(path: Path) -> list[Stage]:
    """The stages in their order. Raises BadDockerfile."""
    stages: list[Stage] = []
    for number, text in _logical_lines(path.read_text()):
        instruction, _, arguments = text.partition(" ")
        instruction, arguments = instruction.upper(), arguments.strip()
        if instruction == "FROM":
            found = _FROM.match(arguments)
            if found is None:
                raise BadDockerfile(f"{path.name}:{number}: {text}")
            stages.append(Stage(found["name"] or str(len(stages)), found["base"]))
        elif instruction in _KNOWN and stages:
            stages[-1].steps.append(Step(instruction, arguments, number))
        else:
            raise BadDockerfile(f"{path.name}:{number}: {text}")
    return stages


def lineage(stages: list[Stage], name: str) -> list[Stage]:
    """The stage and those it is built upon, the first one first."""
    by_name = {stage.name: stage for stage in stages}
    found = [by_name[name]]
    while found[0].base in by_name:
        found.insert(0, by_name[found[0].base])
    return found


def last_words(stages: list[Stage], name: str, instruction: str) -> list[str]:
    """The arguments of the last such step that counts for a stage, such as its USER."""
    steps = [step for stage in lineage(stages, name) for step in stage.steps if step.instruction == instruction]
    return steps[-1].words if steps else []


def _logical_lines(text: str) -> list[tuple[int, str]]:
    """Lines with their continuations joined, without comments, each with the number of its first line."""
    found: list[tuple[int, str]] = []
    parts: list[str] = []
    first = 0
    for number, line in enumerate(text.splitlines(), 1):
        stripped = line.strip()
        if not stripped or stripped.startswith("#"):
            continue
        first = first if parts else number
        parts.append(stripped.removesuffix("\\").strip())
        if not stripped.endswith("\\"):
            found.append((first, " ".join(parts)))
            parts = []
    return found
