"""`sagascript admin`: who may use the admin pages."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from api.edges.cli.console import fail, out, sentences
from api.edges.cli.settings import settings_with

if TYPE_CHECKING:
    from api.platform.db.engine import Database

app = typer.Typer(help="Manage administrators.", no_args_is_help=True)

GENERATED_BYTES = 18
T = TypeVar("T")
Email = Annotated[str, typer.Argument(help="E-mail address of the account.")]


@app.command("create")
def create(
    email: Email,
    name: Annotated[str | None, typer.Option(help="Name of a new administrator.")] = None,
    ask: Annotated[bool, typer.Option("--ask", help="Ask for the password instead of generating one.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Promote an existing account without asking.")] = False,
) -> None:
    """Make an administrator, or an existing account one. A generated password is shown once."""
    from api.edges.admin import administrators
    from api.people.auth.emails import normal_email, problem_of

    # An account may have an address that nobody could register with, such as the demo account's.
    held = _run(lambda database: administrators.find(database, email))
    try:
        address = held.email if held is not None else normal_email(email)
    except ValueError:
        raise fail(f"{email} cannot be used. {problem_of(email)}") from None
    if held is not None:
        if not yes:
            typer.confirm(f"{address} has an account. Make it an administrator?", abort=True)
        _run(lambda database: administrators.promote(database, address))
        out.print(f"{address} is an administrator now.", soft_wrap=True)
        return
    password = secrets.token_urlsafe(GENERATED_BYTES)
    if ask:
        password = typer.prompt("Password", hide_input=True, confirmation_prompt=True)
        refusal = administrators.refusal_of(password, name or "", address)
        if refusal is not None:
            raise fail(refusal)
    _run(lambda database: administrators.make(database, address, name or address.partition("@")[0], password))
    out.print(f"{address} is an administrator now.", soft_wrap=True)
    if not ask:
        out.print(f"Password, shown only here: {password}", soft_wrap=True, markup=False)


@app.command("list")
def list_administrators() -> None:
    """List the administrators."""
    from api.edges.admin import administrators

    found = _run(administrators.everyone)
    for email, name in found:
        out.print(f"{email}  {name}", soft_wrap=True, markup=False)
    if not found:
        out.print("There is no administrator. Make one with `sagascript admin create EMAIL`.", soft_wrap=True)


@app.command("revoke")
def revoke(email: Email) -> None:
    """Take an administrator's rights. The account stays."""
    from api.edges.admin import administrators

    _run(lambda database: administrators.demote(database, email))
    out.print(f"{email} is no administrator any more.", soft_wrap=True)


@app.command("second-factor-off")
def second_factor_off(email: Email) -> None:
    """Ask an account for no code any more, whose owner has lost the authenticator app. The owner gets a mail."""
    from api.edges.admin import administrators

    _run(lambda database: administrators.turn_off_second_factor(database, email))
    out.print(f"{email} signs in with the password alone.", soft_wrap=True)


@app.command("resume")
def resume(email: Email) -> None:
    """Let somebody in again whose account an identity provider or an administrator has turned off."""
    from api.edges.admin import administrators

    _run(lambda database: administrators.let_in_again(database, email))
    out.print(f"{email} can sign in again.", soft_wrap=True)


@app.command("provider-off")
def provider_off(slug: Annotated[str, typer.Argument(help="Short name of the identity provider.")]) -> None:
    """Turn an identity provider off, as when it is down: the people it bound can then ask for a password by mail."""
    from api.edges.admin.providers import service

    settings = settings_with()
    _run(lambda database: service.turn_off(database, settings, slug))
    out.print(f"Nobody signs in with {slug} any more. Turn it on again on the admin page Sign-in.", soft_wrap=True)


def _run(work: Callable[[Database], Awaitable[T]]) -> T:
    """Work on the migrated database. A refusal ends the command with its sentence."""
    from api.platform.db.engine import Database
    from api.platform.db.migrate import UnfitDatabase, upgrade_now
    from api.platform.http.errors import ApiError

    settings = settings_with()
    with sentences(UnfitDatabase):
        upgrade_now(settings.db_url)

    async def working() -> T:
        database = Database(settings.db_url)
        try:
            return await work(database)
        finally:
            await database.close()

    try:
        return asyncio.run(working())
    except ApiError as error:
        raise fail(error.message) from None
