"""Each route declares the errors that its code raises, including those of the functions it calls."""

from __future__ import annotations

import ast
import inspect
import textwrap
import typing
from collections.abc import Callable, Iterator
from functools import cache
from types import FunctionType, ModuleType
from typing import Any

import pytest
from fastapi.routing import APIRoute

from api.openapi import openapi_document
from api.people.auth.viewer import CHANGING_METHODS
from api.platform.http.errors import ApiError, CsrfMismatch, Forbidden
from api.platform.http.openai_errors import OPENAI_PREFIX, OPENAI_STATUSES
from api.routers import ROUTERS

ROUTES = [
    route for router in ROUTERS for route in router.routes if isinstance(route, APIRoute) and route.include_in_schema
]
FOR_CHANGES = {CsrfMismatch.status_code, Forbidden.status_code}
"""Code shared by reading and changing calls raises these for a changing method only."""


def raised_by(function: Callable[..., Any], seen: set[Any]) -> Iterator[type[ApiError]]:
    """The errors raised by one of our functions, or by a function whose name appears in it."""
    function = inspect.unwrap(function)
    if not isinstance(function, FunctionType) or function in seen or not function.__module__.startswith("api."):
        return
    seen.add(function)
    functions, errors = _direct(function)
    for each in functions:
        yield from raised_by(each, seen)
    yield from errors


@cache
def _direct(function: FunctionType) -> tuple[list[FunctionType], list[type[ApiError]]]:
    """The functions whose names appear in this one, and the errors that it raises itself. Most routes share them."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    parameters = _parameters(function)
    values = [
        _value(node, function.__globals__, parameters)
        for node in ast.walk(tree)
        if isinstance(node, ast.Name | ast.Attribute)
    ]
    errors = [
        error
        for node in ast.walk(tree)
        if isinstance(node, ast.Raise) and node.exc is not None
        for error in _errors_in(node.exc, function, parameters)
    ]
    return [value for value in values if isinstance(value, FunctionType)], errors


def _errors_in(node: ast.expr, function: FunctionType, parameters: dict[str, Any]) -> Iterator[type[ApiError]]:
    """The error class in `raise E`, `raise E(...)` or `raise E.field(...)`."""
    call = node.func if isinstance(node, ast.Call) else node
    for each in (call, call.value if isinstance(call, ast.Attribute) else call):
        value = _value(each, function.__globals__, parameters)
        if isinstance(value, type) and issubclass(value, ApiError):
            yield value
            return


def _value(node: ast.expr, names: dict[str, Any], parameters: dict[str, Any]) -> Any:
    if isinstance(node, ast.Name):
        return parameters.get(node.id, names.get(node.id))
    if isinstance(node, ast.Attribute):
        owner = _value(node.value, names, parameters)
        if isinstance(owner, ModuleType | type):
            return inspect.getattr_static(owner, node.attr, None)
    return None


def _parameters(function: FunctionType) -> dict[str, Any]:
    """The classes of a function's parameters, so that calls of their methods are followed."""
    try:
        hints = typing.get_type_hints(function)
    except NameError:
        # A type that is imported only for type checking.
        return {}
    return {name: hint for name, hint in hints.items() if isinstance(hint, type)}


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: f"{sorted(route.methods)[0]} {route.path}")
def test_a_route_declares_what_its_code_raises(route: APIRoute) -> None:
    found = {error.status_code for error in raised_by(route.endpoint, set())}
    for dependency in route.dependant.dependencies:
        if dependency.call is not None:
            found |= {error.status_code for error in raised_by(dependency.call, set())}
    if route.path.startswith(OPENAI_PREFIX):
        found = {OPENAI_STATUSES.get(status, status) for status in found}
    for method in route.methods or ():
        described = openapi_document()["paths"][route.path_format][method.lower()]
        declared = {int(status) for status in described["responses"]}
        expected = found if method in CHANGING_METHODS else found - FOR_CHANGES
        assert expected <= declared, expected - declared


def test_the_walk_follows_nested_calls() -> None:
    """A walk that stops at the first call would prove nothing."""
    by_path = {(method, route.path): route for route in ROUTES for method in route.methods or ()}
    cancel = {error.status_code for error in raised_by(by_path["POST", "/api/files/{slug}/cancel"].endpoint, set())}
    login = {error.status_code for error in raised_by(by_path["POST", "/login"].endpoint, set())}
    assert cancel >= {403, 404, 409}
    assert login >= {422, 429}
