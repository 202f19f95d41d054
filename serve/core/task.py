"""Describes one kind of model work: its names, the words of its sentences, and the measure of its work.

Clients, batchers and deployments are the same for every task and take this description as one value.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

Item = TypeVar("Item")
Outcome = TypeVar("Outcome")

DEADLINE_S = 900.0
"""An item waits behind at most ten minutes of others' work and takes seconds; after this long the model is stuck."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelTask(Generic[Item, Outcome]):
    """One kind of model work: from items, such as windows of audio or pieces of text, to outcomes.

    Cost is counted in a unit of the task's own: milliseconds of audio, characters, tokens.
    """

    name: str
    """Name of the Serve application, of the profile's section and of the capability."""
    model: str
    """The model in a sentence: "speech model"."""
    material: str
    """What it works on, in a sentence: "audio"."""
    items: str
    """Its items in a sentence: "windows"."""
    stream: Callable[[Item], str]
    """The file an item belongs to: workers are shared fairly between streams."""
    cost: Callable[[Item], int]
    """How much work an item is."""
    expected_speed: float
    """Cost per second assumed before the first batch is done; only `retry_after_s` depends on it."""
    slowest_speed: float
    """Cost per second of the slowest first call that is still normal: a large model, a GPU that compiles."""
    call_overhead: int
    """Cost added to each item when a call's time is judged: what a model spends however small the item is."""
    deadline_s: float = DEADLINE_S
    """How long a client waits for an item."""
    keeps_state: bool = False
    """Whether the items of a stream must reach the replica that had those before them."""
