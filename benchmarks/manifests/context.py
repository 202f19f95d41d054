"""What a build may copy from the checkout: all files but those that `.dockerignore` names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path


class BuildContext:
    def __init__(self, root: Path) -> None:
        self.root = root
        ignored = root / ".dockerignore"
        lines = ignored.read_text().splitlines() if ignored.exists() else []
        self._ignored = [_pattern(line.strip()) for line in lines if line.strip() and not line.startswith("#")]

    def files(self, source: str) -> Iterator[tuple[Path, Path]]:
        """The files of one COPY source, each with its path below the destination."""
        if "*" in source:
            yield from ((each, Path(each.name)) for each in sorted(self.root.glob(source)))
            return
        start = (self.root / source).resolve()
        if start.is_file():
            yield start, Path(start.name)
        else:
            yield from ((each, each.relative_to(start)) for each in self._walk(start))

    def _walk(self, folder: Path) -> Iterator[Path]:
        for each in sorted(folder.iterdir()):
            if any(pattern.match(str(each.relative_to(self.root))) for pattern in self._ignored):
                continue
            if each.is_dir() and not each.is_symlink():
                yield from self._walk(each)
            else:
                yield each


def _pattern(line: str) -> re.Pattern[str]:
    """`**/` stands for any folders, none included; a name covers what is below it."""
    name = re.escape(line.removeprefix("**/").strip("/")).replace(r"\*", "[^/]*")
    return re.compile(f"(?:.*/)?{name}(?:/|$)" if line.startswith("**/") else f"{name}(?:/|$)")
