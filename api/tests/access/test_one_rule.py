"""Only `api/people/access` compares owners, because a second rule would drift from the first."""

from __future__ import annotations

import ast
from pathlib import Path

API = Path(__file__).parents[2]

EXCEPTIONS = {
    "people/access/rules.py": "the rule itself",
    "people/auth/browse_as.py": "whose account an administrator uses",
    "people/auth/sessions.py": "whose session a cookie opens",
    "people/auth/session_ends.py": "whose sessions end",
    "people/users/teams.py": "who is in which team",
    "people/users/passkeys.py": "who has a passkey",
    "people/membership/domains.py": "whose teams admit only addresses of their own",
    "platform/jobs/queue.py": "whose turn it is: fairness, not access",
    "platform/jobs/order/fairness.py": "whose turn it is: fairness, not access",
    "content/uploads/tus/concatenation.py": "the protocol's own rule for parts, which knows no teams",
}
OTHER_ROOMS = {
    "api_keys",
    "plans",
    "ledger",
    "billing",
    "account",
    "companies",
    "admin",
    "single_sign_on",
    "second_factor",
    "passkeys",
    "providers",
    "provisioning",
}
"""Rooms about people's own accounts, keys and money. None of them shows what people upload."""


def compares_owners(tree: ast.AST) -> bool:
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            operands = [node.left, *node.comparators]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "in_":
            operands = [node.func.value]
        else:
            continue
        if any(isinstance(operand, ast.Attribute) and operand.attr == "user_id" for operand in operands):
            return True
    return False


def test_only_the_access_room_compares_owners() -> None:
    found = {
        str(path.relative_to(API))
        for path in API.rglob("*.py")
        # In the relay a user id is a string of the Pusher protocol.
        if not {"tests", "testing", "relay", "migrations", *OTHER_ROOMS} & set(path.relative_to(API).parts)
        and compares_owners(ast.parse(path.read_text()))
    }
    assert found == set(EXCEPTIONS)
