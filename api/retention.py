"""How long we keep what: every rule in one list, in the order in which a round applies them."""

from __future__ import annotations

from api.content.belongings.ending import ContentBelongings
from api.content.retention import RULES as CONTENT
from api.edges.speech.service import CALLS
from api.people.retention import RULES as PEOPLE
from api.people.retention import owner_rules
from api.platform.retention.rules import MAIL_RULES, Rule

RULES: tuple[Rule, ...] = (*CONTENT, *owner_rules(ContentBelongings()), *PEOPLE, *MAIL_RULES, CALLS)
