"""`sagascript migrate`: bring the database to the newest schema."""

from __future__ import annotations

from api.cli.console import fail, out
from api.cli.settings import settings_with


def migrate() -> None:
    """Bring the database to the newest schema."""
    settings = settings_with()
    from sqlalchemy.engine import make_url
    from sqlalchemy.exc import SQLAlchemyError

    from api.db.migrate import upgrade_now

    shown = make_url(settings.db_url).render_as_string(hide_password=True)
    try:
        upgrade_now(settings.db_url)
    except (SQLAlchemyError, OSError) as error:
        raise fail(f"The database {shown} cannot be migrated: {error}") from None
    out.print(f"The database {shown} has the newest schema.", soft_wrap=True)
