"""Accounts in Icelandic for a while."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from api.people.users.models import User
from api.testing.sites.site import Person, Site


@contextmanager
def in_icelandic(site: Site, people: Sequence[Person]) -> Iterator[None]:
    """Accounts in Icelandic: a page takes the language of the account of the one who is signed in."""

    async def write(locale: str) -> None:
        async with site.state.database.write() as session:
            for person in people:
                (await session.get_one(User, person.user_id)).locale = locale

    site.call(write("is"))
    try:
        yield
    finally:
        site.call(write("en"))
