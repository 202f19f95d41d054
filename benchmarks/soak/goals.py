"""What the campaigns must reach."""

from __future__ import annotations

from cluster.testing.goal import Goal

GOALS = {
    "27-p95": Goal("p95 of a bystander's requests", 1000.0, 250.0, True, "ms"),
    "27-edits": Goal("p95 of a bystander's changes of captions", 1000.0, 300.0, True, "ms"),
    "27-lock": Goal("the longest time that one lock kept writers out", 1000.0, 200.0, True, "ms"),
    "27-failures": Goal("a bystander's requests that failed", 0.0, 0.0, True, "requests"),
    "27-restarts": Goal("restarts of the web process", 0.0, 0.0, True, "restarts"),
    "27-500": Goal("the attacker's requests answered with 500", 0.0, 0.0, True, "answers"),
}
