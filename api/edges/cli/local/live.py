"""`sagascript live`: captions of anything that ffmpeg opens, while it runs."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from api.edges.cli.console import fail
from api.edges.cli.local.options import Force
from api.edges.cli.local.outputs import STANDARD_OUTPUT, check_output, put_out, writer
from api.edges.cli.local.work import work
from api.edges.cli.settings import settings_with
from pipelines.captions.forms.form import CaptionFormat

if TYPE_CHECKING:
    from api.edges.cli.local.live_sending import About


def live(
    source: Annotated[
        str,
        typer.Argument(
            metavar="INPUT",
            help="What ffmpeg opens: an address (rtmp, srt, an HLS playlist), a device, or a file, read as it plays.",
        ),
    ],
    language: Annotated[str, typer.Option(help="Spoken language, such as en-US.")] = "en-US",
    input_format: Annotated[
        str | None, typer.Option(help="Format of the input, where ffmpeg cannot tell it: alsa for a device of Linux.")
    ] = None,
    format: Annotated[CaptionFormat, typer.Option(help="Format of the captions.")] = CaptionFormat.SRT,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Where to write, - for standard output. By default, live-DATE-TIME here."),
    ] = None,
    force: Force = False,
    to: Annotated[
        str | None,
        typer.Option(help="Address of an installation that captions it and keeps it as a file, such as https://…"),
    ] = None,
    listen: Annotated[
        bool, typer.Option("--listen", help="Wait for a sender, such as OBS, at the address: rtmp or srt.")
    ] = False,
    key: Annotated[
        str | None, typer.Option(help="API key for --to, with the scope transcribe.", envvar="SAGASCRIPT_API_KEY")
    ] = None,
    name: Annotated[str | None, typer.Option(help="Name of the file that --to keeps.")] = None,
    translate_to: Annotated[
        list[str] | None, typer.Option(help="A language into which --to translates meanwhile, such as es; repeatable.")
    ] = None,
) -> None:
    """Print what is said in INPUT while it runs, and write its captions in the end. Ctrl-C ends it."""
    settings = settings_with()
    check_live(language)
    file = Path(source)
    is_file = "://" not in source and input_format is None
    if is_file and not file.is_file():
        raise fail(f"There is no file {source}. For a device, name its --input-format.")
    if listen and source.partition("://")[0] not in ("rtmp", "srt"):
        raise fail("--listen waits at an address that begins with rtmp:// or srt://, such as rtmp://0.0.0.0:1935/live.")
    if to is not None:
        if output is not None:
            raise fail("With --to the captions are kept there, and --output writes nothing. Leave one of them out.")
        from api.edges.cli.local.live_sending import About

        about = About(language, name, translate_to or [])
        _send(source, input_format, about, to, key, is_file=is_file, listen=listen)
        return
    if translate_to:
        raise fail("--translate-to needs --to. Here, sagascript translate does it afterwards.")
    output = output or Path(f"live-{datetime.now().astimezone():%Y-%m-%d-%H%M%S}.{format}")
    check_output(output, file, force=force)

    from api.edges.cli.local.live_run import LiveInput, caption_live
    from api.edges.cli.local.models_here import live_models
    from cluster.ray.runtime import RayUnreachable
    from serve.core.models.model_files import ModelMissing
    from serve.profile import BadProfile

    taken = LiveInput(source, input_format, is_paced=is_file, is_awaited=listen)
    with work("live", settings, RayUnreachable, BadProfile, ModelMissing), live_models(settings) as models:
        captions = caption_live(taken, language, models, write=writer(format), to_errors=output == STANDARD_OUTPUT)
    put_out(output, captions)


def _send(
    source: str,
    input_format: str | None,
    about: About,
    to: str,
    key: str | None,
    *,
    is_file: bool,
    listen: bool,
) -> None:
    if not to.startswith(("http://", "https://")):
        raise fail(f"“{to}” is no address. Name it with http:// or https://.")
    if not key:
        raise fail("--to needs an API key with the scope transcribe: --key, or SAGASCRIPT_API_KEY. Settings makes one.")

    from api.edges.cli.local.live_run import LiveInput
    from api.edges.cli.local.live_sending import Receiver, send_live

    with work("live", settings_with()):
        address = send_live(LiveInput(source, input_format, is_file, listen), about, Receiver(to, key))
    typer.echo(f"It is kept: {address}")


def check_live(language: str) -> None:
    """Reject early a language that cannot be followed."""
    from pipelines.languages import AUTO, is_known

    if language == AUTO:
        raise fail("The language cannot be detected live. Name it with --language.")
    if not is_known(language):
        raise fail(f"“{language}” is not a language Sagascript supports. Use a code like is-IS or en-US.")
