"""Every command of `sagascript`. Each is a file; heavy imports happen when a command runs."""

from __future__ import annotations

import os
from importlib import metadata
from typing import Annotated

import typer

from api import process_commands
from api.edges.cli.installation import compose, down, serve, up
from api.edges.cli.local import align, convert, export, live, transcribe, translate
from api.edges.cli.upkeep import admin, backup, billing, cluster, doctor, mail, models, restore

app = typer.Typer(
    name="sagascript",
    help="Transcribe, correct and subtitle video and audio.",
    no_args_is_help=True,
    invoke_without_command=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


PRIVATE_UMASK = 0o077
"""Only the user may read what commands write: captions, recordings, password hashes."""


@app.callback()
def about(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.", is_eager=True)] = False,
) -> None:
    if version:
        typer.echo(metadata.version("sagascript"))
        raise typer.Exit
    # These write next to the person's own file, with their usual permissions.
    if context.invoked_subcommand not in ("align", "convert", "export", "live", "transcribe", "translate"):
        os.umask(PRIVATE_UMASK)


app.command("up")(up.up_with(process_commands.job_types))
app.command("down")(down.down)
app.command("transcribe")(transcribe.transcribe)
app.command("translate")(translate.translate)
app.command("live")(live.live)
app.command("align")(align.align)
app.command("convert")(convert.convert)
app.command("export")(export.export)
app.command("doctor")(doctor.doctor)
app.add_typer(compose.app, name="init")
app.add_typer(models.app, name="models")
app.add_typer(billing.app, name="billing")
app.add_typer(admin.app, name="admin")
app.add_typer(mail.app, name="mail")
app.add_typer(cluster.app, name="cluster")
app.command("backup")(backup.backup)
app.command("restore")(restore.restore)
app.command("api", rich_help_panel="Single processes")(process_commands.api)
app.command("serve", rich_help_panel="Single processes")(serve.serve)
app.command("dispatcher", rich_help_panel="Single processes")(process_commands.dispatcher)
app.command("uploads", rich_help_panel="Single processes")(process_commands.uploads)
app.command("relay", rich_help_panel="Single processes")(process_commands.relay)
app.command("migrate", rich_help_panel="Single processes")(process_commands.migrate)
