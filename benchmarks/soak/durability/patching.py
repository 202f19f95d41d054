"""Change a module of the product at import, before another module takes names from it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType
from typing import Any

Patch = Callable[[Any], None]
"""Changes attributes of the module that it gets."""


class _PatchingLoader(Loader):
    def __init__(self, loader: Loader, patches: Sequence[Patch]) -> None:
        self._loader = loader
        self._patches = patches

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        self._loader.exec_module(module)
        for patch in self._patches:
            patch(module)


class _PatchingFinder(MetaPathFinder):
    def __init__(self, patches: Mapping[str, Sequence[Patch]]) -> None:
        self._patches = dict(patches)

    def find_spec(self, name: str, _path: Sequence[str] | None, _target: ModuleType | None = None) -> ModuleSpec | None:
        # Removed first, so that the search below does not end up here again.
        patches = self._patches.pop(name, None)
        if patches is None:
            return None
        spec = find_spec(name)
        if spec is not None and spec.loader is not None:
            spec.loader = _PatchingLoader(spec.loader, patches)
        return spec


def patch_imports(patches: Mapping[str, Sequence[Patch]]) -> None:
    """Run each module's patches when this process imports it."""
    sys.meta_path.insert(0, _PatchingFinder(patches))
