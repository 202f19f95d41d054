"""`python -m benchmarks.manifests NAME`: what is checked and made around the manifests."""

from __future__ import annotations

import os
import sys
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.goals.figures_page import PAGE as FIGURES
from benchmarks.goals.figures_page import figures_page
from benchmarks.manifests.build_report import run_build_steps
from benchmarks.manifests.chart_archive import write_chart
from benchmarks.manifests.check import all_problems
from benchmarks.manifests.messages import write_messages
from benchmarks.manifests.platforms import PLATFORMS, resolve_platforms
from benchmarks.manifests.release import CannotRelease, write_release
from benchmarks.manifests.render import CannotRender, write_rendered
from benchmarks.manifests.settings_page import PAGE, settings_page
from benchmarks.manifests.versions import set_version

USAGE = """python -m benchmarks.manifests check                 check manifests, compose files and Dockerfiles
python -m benchmarks.manifests settings              write docs/settings.md from the classes that read settings
python -m benchmarks.manifests figures               write docs/figures.md from benchmarks/results
python -m benchmarks.manifests render                render the chart into docker/rendered
python -m benchmarks.manifests messages              update the catalogues (locale/*.po) from the declared wordings
python -m benchmarks.manifests platforms             see that every package has a wheel for each Python and system
python -m benchmarks.manifests version NUMBER        write a new version everywhere, and close its list of changes
python -m benchmarks.manifests chart FOLDER          write the chart as one file; part of `make dist`
python -m benchmarks.manifests release               write notes and digests beside the archives; part of `make release`
python -m benchmarks.manifests build-steps [IMAGE …] run every step of the Dockerfiles in clean roots"""


def main(arguments: list[str]) -> int:
    match arguments:
        case ["check"]:
            problems = all_problems()
            print("\n".join(problems), end="\n" if problems else "")
            return 1 if problems else 0
        case ["render"]:
            try:
                write_rendered()
            except CannotRender as problem:
                print(problem)
                return 1
            return 0
        case ["settings"]:
            PAGE.write_text(settings_page())
            return 0
        case ["figures"]:
            FIGURES.write_text(figures_page())
            return 0
        case ["messages"]:
            write_messages()
            return 0
        case ["platforms"]:
            outcome = resolve_platforms()
            print("\n".join(outcome.problems), end="\n" if outcome.problems else "")
            if outcome.index_away:
                print(f"Not all of {len(PLATFORMS)} platforms were checked: {outcome.index_away.splitlines()[0]}")
            return 1 if outcome.problems else 0
        case ["version", version]:
            try:
                set_version(version, datetime.now(UTC).date())
            except ValueError as problem:
                print(problem)
                return 1
            return 0
        case ["chart", folder]:
            print(write_chart(Path(folder), int(os.environ.get("SOURCE_DATE_EPOCH", "1"))).name)
            return 0
        case ["release"]:
            try:
                write_release()
            except CannotRelease as problem:
                print(problem)
                return 1
            return 0
        case ["build-steps", *targets]:
            return 0 if run_build_steps(targets) else 1
    print(USAGE)
    return 2


sys.exit(main(sys.argv[1:]))
