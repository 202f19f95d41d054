"""`sagascript migrate`: bring the database to the newest schema, or write the next migration."""

from __future__ import annotations

import asyncio
from typing import Annotated

import typer

from api.edges.cli.console import fail, out
from api.edges.cli.settings import settings_with


def migrate(
    new: Annotated[
        str | None, typer.Option(help="Write a migration to the models of this checkout, with this description.")
    ] = None,
) -> None:
    """Bring the database to the newest schema."""
    settings = settings_with()
    from sqlalchemy.engine import make_url
    from sqlalchemy.exc import SQLAlchemyError

    from api.platform.db.failures import reason
    from api.platform.db.migrate import new_revision, upgrade_now

    shown = make_url(settings.db_url).render_as_string(hide_password=True)
    try:
        if new is not None:
            from api.tables import metadata

            asyncio.run(new_revision(settings.db_url, new, metadata))
            out.print("The migration is written. Read it before you run `sagascript migrate`.")
            return
        upgrade_now(settings.db_url)
    except (SQLAlchemyError, OSError) as error:
        raise fail(f"The database {shown} cannot be migrated: {reason(error)}.") from None
    out.print(f"The database {shown} has the newest schema.", soft_wrap=True)
