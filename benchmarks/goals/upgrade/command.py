"""`python -m benchmarks upgrade`: what earlier versions left goes to this one while people ask for their files."""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from api.testing.databases.postgres import new_database, running_postgres
from api.testing.processes.product import running_product
from api.testing.upgrades.archives import ARCHIVES, unpack
from api.testing.upgrades.visitors import PEOPLE, Visitors
from benchmarks.goals.report import Report
from cluster.testing.ports import free_port


def command(
    rounds: Annotated[int, typer.Option(min=1, help="How often each version is upgraded.")] = 3,
) -> None:
    report = Report("upgrade")
    down_s = {schema: [_down_s(archive) for _ in range(rounds)] for schema, archive in ARCHIVES.items()}
    report.goal("upgrade", max(max(each) for each in down_s.values()), each=down_s)
    for schema, each in down_s.items():
        report.figure(f"from {schema}: until everybody is answered, longest", max(each), "s")
    report.note(
        f"{PEOPLE} people who signed in before ask for their files all the time. Counted from `sagascript up` to"
    )
    report.note("the first answer that the last of them gets: copy of the database, migrations, Ray and all processes.")
    report.write()


def _down_s(archive: Path) -> float:
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="upgrade-") as folder, ExitStack() as stack:
        left = unpack(archive, Path(folder))
        settings = {"allow_hub": "false"}
        if left.dump is not None:
            server = stack.enter_context(running_postgres())
            settings["database_url"] = stack.enter_context(new_database(server))
            left.load(settings["database_url"])
        visitors = stack.enter_context(Visitors(f"http://127.0.0.1:{port}", left.known))
        with running_product(left.data_dir, port=str(port), **settings):
            visitors.leave()
    if visitors.wrong:
        raise RuntimeError(f"People got {visitors.wrong} during the upgrade.")
    return visitors.down_s
