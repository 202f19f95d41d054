"""What the stand-in knows: objects by id, a clock that tests move, and the events of everything that happened."""

from __future__ import annotations

import copy
import json
import secrets
import time
from calendar import monthrange
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

API_VERSION = "2026-10-28.endive"

Thing = dict[str, Any]
"""An object of Stripe. Names that begin with an underscore stay inside."""


class Refused(Exception):
    """An error of the API, in Stripe's form."""

    def __init__(
        self, status: int, message: str, *, kind: str = "invalid_request_error", code: str = "", param: str = ""
    ) -> None:
        super().__init__(message)
        self.status = status
        self.error = {"type": kind, "message": message, "code": code or None, "param": param or None}


class World:
    """`state` keeps everything in a file between runs; without one it ends with the process."""

    def __init__(self, state: Path | None = None, *, days_ago: float = 0) -> None:
        self._file = state
        self.offset_s = -days_ago * 86_400
        self.things: dict[str, Thing] = {}
        self.answers: dict[str, list[Any]] = {}
        self.events: list[Thing] = []
        self.url = ""
        if state is not None and state.is_file():
            kept = json.loads(state.read_text())
            self.offset_s, self.things = kept["offset_s"], kept["things"]
            self.answers, self.events = kept["answers"], kept["events"]

    def keep(self) -> None:
        if self._file is None:
            return
        draft = self._file.with_suffix(".draft")
        kept = {"offset_s": self.offset_s, "things": self.things, "answers": self.answers, "events": self.events}
        draft.write_text(json.dumps(kept))
        draft.replace(self._file)

    @property
    def now(self) -> int:
        return int(time.time() + self.offset_s)

    def set_now(self, moment: int) -> None:
        self.offset_s = moment - time.time()

    def new_id(self, prefix: str) -> str:
        return f"{prefix}_{secrets.token_hex(8)}"

    def add(self, prefix: str, kind: str, **values: Any) -> Thing:
        thing: Thing = {
            "id": values.pop("id", None) or self.new_id(prefix),
            "object": kind,
            "created": self.now,
            "livemode": False,
            "metadata": {},
            **values,
        }
        self.things[thing["id"]] = thing
        return thing

    def get(self, thing_id: str | None, kind: str) -> Thing:
        thing = self.things.get(thing_id or "")
        if thing is None or thing["object"] != kind:
            raise Refused(404, f"No such {kind}: '{thing_id}'", code="resource_missing", param="id")
        return thing

    def all(self, kind: str, **values: Any) -> list[Thing]:
        """The newest first, as Stripe lists them."""
        found = [
            thing
            for thing in self.things.values()
            if thing["object"] == kind and all(thing.get(name) == value for name, value in values.items())
        ]
        return found[::-1]

    def happened(self, kind: str, thing: Thing) -> None:
        self.events.append(
            {
                "id": self.new_id("evt"),
                "object": "event",
                "api_version": API_VERSION,
                "created": self.now,
                "livemode": False,
                "pending_webhooks": 1,
                "type": kind,
                "data": {"object": self.render(thing)},
            }
        )

    def render(self, thing: Thing, expand: list[str] | None = None) -> Thing:
        """A copy for an answer, with the fields in `expand` as objects instead of ids."""
        shown = {name: copy.deepcopy(value) for name, value in thing.items() if not name.startswith("_")}
        if thing["object"] == "invoice":
            shown["invoice_pdf"] = shown["hosted_invoice_url"] = f"{self.url}/_pdf/{thing['id']}"
        for path in expand or []:
            self._expand(shown, thing, path)
        return shown

    def _expand(self, shown: Thing, thing: Thing, path: str) -> None:
        name, _, rest = path.partition(".")
        if name == "confirmation_secret" and thing.get("_payment"):
            payment = self.things[thing["_payment"]]
            shown[name] = {"type": "payment_intent", "client_secret": payment["client_secret"]}
            return
        if isinstance(shown.get(name), list):
            shown[name] = [self._expanded(each, rest) for each in shown[name]]
        elif name in shown:
            shown[name] = self._expanded(shown[name], rest)

    def _expanded(self, value: Any, rest: str) -> Any:
        if isinstance(value, str) and value in self.things:
            return self.render(self.things[value], [rest] if rest else [])
        if isinstance(value, dict) and rest:
            self._expand(value, self.things.get(value.get("id", ""), value), rest)
        return value

    def page(self, things: list[Thing], url: str, limit: int, expand: list[str]) -> Thing:
        inner = [path.removeprefix("data.") for path in expand if path.startswith("data.")]
        return {
            "object": "list",
            "url": url,
            "has_more": len(things) > limit,
            "data": [self.render(thing, inner) for thing in things[:limit]],
        }


def add_interval(moment: int, interval: str, anchor_day: int) -> int:
    """One month or year later, on the anchor's day where the month has it."""
    at = datetime.fromtimestamp(moment, UTC)
    index = at.year * 12 + at.month - 1 + (1 if interval == "month" else 12)
    year, month = divmod(index, 12)
    day = min(anchor_day, monthrange(year, month + 1)[1])
    return int(at.replace(year=year, month=month + 1, day=day).timestamp())
