"""`sagascript mail`: try how mail leaves."""

from __future__ import annotations

import asyncio
from typing import Annotated

import typer

from api.edges.cli.console import fail, out, sentences
from api.edges.cli.settings import settings_with

app = typer.Typer(help="Try how mail leaves.", no_args_is_help=True)


@app.callback()
def about() -> None:
    """Try how mail leaves."""


@app.command("test")
def send_trial(
    address: Annotated[str, typer.Argument(help="Who gets the mail.")],
    locale: Annotated[str, typer.Option(help="Its language: en or is.")] = "en",
) -> None:
    """Send a mail to ADDRESS now, or write it into the folder of mails where no mail server is set."""
    settings = settings_with()
    from api.people.auth.emails import normal_email
    from api.platform.mail.folder import write_letter
    from api.platform.mail.letter import letter
    from api.platform.mail.messages import Trial
    from api.platform.mail.outgoing import stamped
    from api.platform.mail.smtp import MailDeferred, MailRefused, MailUnavailable, send

    with sentences(ValueError):
        to = normal_email(address)
    payload = stamped(Trial(to=to, locale=locale, name=""))
    message = letter(payload, settings)
    if settings.smtp_url is None:
        path = write_letter(settings.mail_dir, payload, message)
        out.print(f"No mail server is set, so the mail is a file: {path}", soft_wrap=True)
        return
    try:
        asyncio.run(send(settings, message))
    except MailUnavailable as error:
        raise fail(str(error)) from None
    except (MailDeferred, MailRefused) as error:
        raise fail(f"The mail server does not take this mail: {error}") from None
    out.print(f"{settings.smtp_url} took the mail. Look into the mailbox of {to}.", soft_wrap=True)
