"""`sagascript init compose`: a folder that `docker compose up` starts, with secrets of its own and no checkout."""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
import shutil
from importlib import metadata
from pathlib import Path
from typing import Annotated
from urllib.parse import unquote, urlsplit

import typer

from api.edges.cli.console import fail, out

app = typer.Typer(help="Write what an installation needs to start.", no_args_is_help=True)

COMPOSE, SECRETS, RECIPE = "compose.yaml", ".env", "Dockerfile"
SECRET_BYTES = 32
SECRET_NAMES = (
    "POSTGRES_PASSWORD",
    "STORE_PASSWORD",
    "SAGASCRIPT_SESSION_SECRET",
    "SAGASCRIPT_DATA_KEY",
    "SAGASCRIPT_REALTIME_SECRET",
)
_MARK = "# Written by `sagascript init compose`; what you change stays yours. "
_BUILD = re.compile(r"^    build: \{.*\}\n    image: \S+\n", re.MULTILINE)
_IMAGE = re.compile(r"^    image: sagascript-\S+\n", re.MULTILINE)


@app.callback()
def init() -> None:
    """Several of these may follow."""


@app.command("compose")
def compose(
    folder: Annotated[Path, typer.Argument(help="Where to write it; made if it is missing.")] = Path("sagascript"),
    url: Annotated[
        str | None, typer.Option(help="Where people reach it, such as https://captions.example.com.")
    ] = None,
    port: Annotated[int, typer.Option(help="Port on this machine.", min=1, max=65535)] = 8080,
    wheel: Annotated[
        Path | None, typer.Option(help="The wheel to build the image from; the one this command came from when unset.")
    ] = None,
    image: Annotated[
        str | None, typer.Option(help="An image that your registry has, in place of building one.")
    ] = None,
) -> None:
    """Write compose.yaml, a .env with new secrets and the recipe of the image.

    A second time keeps the secrets and whatever you changed, and brings the rest to this version.
    """
    public_url = _public_url(url, port)
    source = None if image is not None else _wheel(wheel)
    folder.mkdir(parents=True, exist_ok=True)
    had_secrets = _write_secrets(folder / SECRETS, public_url, port, is_named=url is not None)
    kept = _write(folder / COMPOSE, compose_file(image))
    if source is not None:
        for old in folder.glob("sagascript-*.whl"):
            if old.resolve() != source.resolve():
                old.unlink()
        if source.parent.resolve() != folder.resolve():
            shutil.copyfile(source, folder / source.name)
        kept |= _write(folder / RECIPE, (_docker() / "wheel.Dockerfile").read_text())
    _explain(folder, public_url, kept, had_secrets=had_secrets, builds=source is not None)


def compose_file(image: str | None) -> str:
    """Our compose file for a folder without a checkout: with an image of a registry, or one built from the wheel."""
    text = (_docker() / COMPOSE).read_text()
    text = text[text.index("name: sagascript\n") :]
    ours = f"    image: {image or _own_image()}\n"
    build = "" if image is not None else "    build: { context: . }\n"
    text = _BUILD.sub(lambda _: build + ours, text, count=1)
    text = _IMAGE.sub(lambda _: ours, text)
    settings = "".join(f"      {name}: ${{{name}:?Set {name}}}\n" for name in SECRET_NAMES if name.startswith("SAGA"))
    return text.replace("    environment:\n", f"    environment:\n{settings}", 1)


def _docker() -> Path:
    """The folder of the recipes: in the wheel, or in the checkout."""
    package = Path(__file__).parents[3]
    inside = package / "docker"
    return inside if inside.is_dir() else package.parent / "docker"


def _own_image() -> str:
    return f"sagascript-cpu:{metadata.version('sagascript')}"


def _public_url(url: str | None, port: int) -> str:
    if url is None:
        return f"http://localhost:{port}"
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.path.strip("/") or parts.query:
        raise fail(f"{url} is no address of a site. Write it as https://captions.example.com.")
    return url.rstrip("/")


def _wheel(named: Path | None) -> Path:
    """The wheel that was named, else the one from which this was installed. Raises `typer.Exit` where there is none."""
    found = named or _own_wheel()
    if found is None or not found.is_file():
        where = f"There is no file {named}." if named else "This was not installed from a wheel that is still there."
        raise fail(f"{where} Name one with --wheel, or an image of your registry with --image.")
    if not re.fullmatch(r"sagascript-\d[^/]*\.whl", found.name):
        raise fail(f"{found.name} is no wheel of Sagascript.")
    return found


def _own_wheel() -> Path | None:
    """As the installer noted it (PEP 610)."""
    noted = metadata.distribution("sagascript").read_text("direct_url.json")
    url = urlsplit(json.loads(noted)["url"]) if noted else None
    if url is None or url.scheme != "file" or not url.path.endswith(".whl"):
        return None
    return Path(unquote(url.path))


def _write_secrets(path: Path, public_url: str, port: int, *, is_named: bool) -> bool:
    """Add what the file lacks; returns whether there was one. What stands there stays, but an address given anew."""
    had = path.exists()
    lines = path.read_text().splitlines() if had else ["# Keep this file: without it the data cannot be read."]
    if is_named:
        lines = [line for line in lines if not line.startswith("SAGASCRIPT_PUBLIC_URL=")]
    values = {"SAGASCRIPT_PUBLIC_URL": public_url, "SAGASCRIPT_PORT": str(port)}
    values |= {name: secrets.token_hex(SECRET_BYTES) for name in SECRET_NAMES}
    present = {line.partition("=")[0].strip() for line in lines}
    lines += [f"{name}={value}" for name, value in values.items() if name not in present]
    new = path.with_name(f"{path.name}.new")
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w") as written:
        written.write("\n".join(lines) + "\n")
    new.replace(path)
    return had


def _write(path: Path, text: str) -> set[str]:
    """Write a file of ours unless somebody changed it; then the new one lies beside it. Returns what was kept."""
    marked = f"{_MARK}{_digest(text)}\n{text}"
    beside = path.with_name(f"{path.name}.new")
    if path.exists() and not _is_ours(path.read_text()):
        beside.write_text(marked)
        return {path.name}
    path.write_text(marked)
    beside.unlink(missing_ok=True)
    return set()


def _is_ours(text: str) -> bool:
    first, _, rest = text.partition("\n")
    return first == f"{_MARK}{_digest(rest)}"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _explain(folder: Path, public_url: str, kept: set[str], *, had_secrets: bool, builds: bool) -> None:
    kept_secrets = " Its secrets stayed." if had_secrets else ""
    out.print(f"Wrote {folder}.{kept_secrets}", markup=False, soft_wrap=True)
    for name in sorted(kept):
        out.print(f"You changed {name}, so it stayed. What it would be now is in {name}.new.", markup=False)
    out.print(
        # Without it an image of this version that is there already would stay.
        f"\n  cd {folder}\n  docker compose up --detach{' --build' if builds else ''}\n"
        "  docker compose exec sagascript sagascript admin create YOU@EXAMPLE.COM\n\n"
        f"Then open {public_url}. Keep {SECRETS}: without it the data cannot be read.",
        markup=False, soft_wrap=True,
    )  # fmt: skip
