"""A kind of job: its request and result, the flow that does it, what it costs, and how its domain handles it.

Adding a kind takes a flow, its request and result, and one `JobType` in the domain's `jobs.py`, which
`api/job_types.py` lists for the web process and the dispatcher. The price list, the dashboard, the queue, the figures
for Prometheus, the details of a file and the ledger derive from it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic, TypeAlias, TypeVar

from api.platform.jobs.handlers import Handler
from pipelines.messages.json_message import JsonMessage
from pipelines.messages.results import FlowResult

RequestT = TypeVar("RequestT", bound=JsonMessage)
ResultT = TypeVar("ResultT", bound=FlowResult)


@dataclass(frozen=True)
class Price:
    """`noun` names the work in the ledger. `rate`: seconds of a plan that one second of sound costs, also 0."""

    noun: str
    rate: Fraction


@dataclass(frozen=True)
class JobType(Generic[RequestT, ResultT]):
    """`title` tells the owner what the job does. `flow` is `package.module:function`; only the worker imports it.

    `cpus` is the number of Ray slots an attempt holds. `summary_fields` names the request fields that mean something
    to the owner, `a.b` for a nested one; ids and keys of stored objects are left out. Work without a `price` never
    appears in the ledger. `has_model`: the dashboard shows it as the work of an engine. `is_live`: somebody speaks at
    this moment, so it starts before everything else.
    """

    kind: str
    title: str
    request: type[RequestT]
    result: type[ResultT]
    flow: str
    cpus: float
    handler: Handler[ResultT]
    summary_fields: tuple[str, ...] = ()
    price: Price | None = None
    has_model: bool = False
    is_live: bool = False


AnyJobType: TypeAlias = JobType[Any, Any]
JobTypes: TypeAlias = Mapping[str, AnyJobType]
"""All job types of an installation by kind."""


def by_kind(types: Iterable[AnyJobType]) -> JobTypes:
    """Index the types by kind. Raises `ValueError` if two have the same kind."""
    found: dict[str, AnyJobType] = {}
    for each in types:
        if each.kind in found:
            raise ValueError(f"Two job types are named {each.kind}.")
        found[each.kind] = each
    return found
