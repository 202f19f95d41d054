"""What a value of a request that is missing or not valid is refused with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cluster.wording.message import Message

LABELS: dict[str, Message] = {
    "email": Message("http.field_email", "email"),
    "name": Message("http.field_name", "name"),
    "password": Message("http.field_password", "password"),
    "password confirmation": Message("http.field_password_confirmation", "password confirmation"),
    "current password": Message("http.field_current_password", "current password"),
    "query": Message("http.field_query", "query"),
    "q": Message("http.field_q", "q"),
    "text": Message("http.field_text", "text"),
    "language": Message("http.field_language", "language"),
    "start ms": Message("http.field_start_ms", "start ms"),
    "end ms": Message("http.field_end_ms", "end ms"),
    "file": Message("http.field_file", "file"),
    "title": Message("http.field_title", "title"),
    "url": Message("http.field_url", "url"),
    "number": Message("http.field_number", "number"),
    "body": Message("http.field_body", "body"),
    "note": Message("http.field_note", "note"),
    "amount": Message("http.field_amount", "amount"),
    "token": Message("http.field_token", "token"),
    "role": Message("http.field_role", "role"),
    "source": Message("http.field_source", "source"),
    "target": Message("http.field_target", "target"),
    "from": Message("http.field_from", "from"),
    "to": Message("http.field_to", "to"),
    "country": Message("http.field_country", "country"),
    "address": Message("http.field_address", "address"),
    "city": Message("http.field_city", "city"),
    "postal code": Message("http.field_postal_code", "postal code"),
    "color": Message("http.field_color", "color"),
    "tags": Message("http.field_tags", "tags"),
    "scopes": Message("http.field_scopes", "scopes"),
    "expires at": Message("http.field_expires_at", "expires at"),
    "reason": Message("http.field_reason", "reason"),
}
"""The fields that pages show, by their name in words. Others are named in English."""


def field_sentence(problem: Mapping[str, Any]) -> tuple[str, str]:
    """The name of the field in a problem of Pydantic's, and what to say about it."""
    place = [str(part) for part in problem["loc"] if part not in ("body", "query", "path", "header")]
    field = ".".join(place) or "body"
    words = field.replace("_", " ")
    label = LABELS.get(words, words)
    kind = problem["type"]
    context = problem.get("ctx", {})
    if kind == "missing" or (kind == "string_too_short" and context["min_length"] == 1):
        return field, Message("http.required", "The {label} is required.", label=label)
    if kind == "string_too_short":
        return field, Message(
            "http.too_short",
            "The {label} must have at least {count} characters.",
            label=label,
            count=context["min_length"],
        )
    if kind == "string_too_long":
        return field, Message(
            "http.too_long",
            "The {label} may have at most {count} characters.",
            label=label,
            count=context["max_length"],
        )
    if kind == "value_error" and "email" in str(problem.get("msg", "")).lower():
        return field, Message("http.email_not_valid", "The email must be a valid email address.")
    if kind == "value_error" and isinstance(message := context["error"].args[0], Message):
        return field, message
    if kind == "value_error":
        return field, str(problem["msg"]).removeprefix("Value error, ")
    return field, Message("http.not_valid", "The {label} is not valid.", label=label)
