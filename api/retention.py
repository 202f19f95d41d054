"""How long we keep what: every rule in one list, in the order in which a round applies them."""

from __future__ import annotations

from api.content.retention import RULES as CONTENT
from api.edges.speech.service import CALLS
from api.people.retention import RULES as PEOPLE
from api.platform.retention.rules import MAIL_RULES, Rule

RULES: tuple[Rule, ...] = (*CONTENT, *PEOPLE, *MAIL_RULES, CALLS)
