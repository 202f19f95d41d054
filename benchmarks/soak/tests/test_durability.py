"""The checker's short form: people and four faults on an installation lose nothing; then seeded faults are found."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from benchmarks.soak.durability.client.media import make_sources
from benchmarks.soak.durability.fault_kinds import Kind
from benchmarks.soak.durability.faults.injector import InjectedFault
from benchmarks.soak.durability.invariants.every import judge_all
from benchmarks.soak.durability.invariants.verdict import Verdict
from benchmarks.soak.durability.seeded_faults import CAUGHT_BY, SeededFault
from benchmarks.soak.durability.servers.installation import Installation
from benchmarks.soak.durability.session import Session
from benchmarks.soak.durability.trial import do_each_act, provoke, restart_with

pytestmark = pytest.mark.timeout(1800)

LEASE_S = 4.0
PEOPLE = 3
FAULTS = [Kind.UPLOADS, Kind.WORKER, Kind.API, Kind.RELAY]
"""Dispatchers are killed in `test_jobs.py` and in `api/tests/jobs`."""
PROVOKED = [SeededFault.LOST_DELETE, SeededFault.STALE_WEBHOOK, SeededFault.UNRECORDED]
SEEDED_FAULTS = [*PROVOKED, SeededFault.CHARGED_TWICE, SeededFault.ACK_BEFORE_COMMIT]
"""Not `DOUBLE_EFFECT` beside them: the transition tables refuse it, so no file would get captions to edit."""


@dataclass
class Found:
    clean: dict[int, Verdict]
    injected: list[InjectedFault]
    missed: list[Kind]
    unfinished: list[str]
    done: dict[str, int]
    seeded: dict[int, Verdict]


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Found:
    """Use one installation for both: starting Ray and the models takes longer than the rest."""
    return asyncio.run(_run(tmp_path_factory.mktemp("durability")))


async def _run(folder: Path) -> Found:
    installation = Installation(folder / "installation", LEASE_S)
    session = None
    try:
        sources = await asyncio.to_thread(make_sources, folder / "media")
        await installation.start()
        session = Session(installation, sources, seed=7)
        injector = session.injector()
        await session.arrive(PEOPLE)
        breaking = asyncio.create_task(injector.run(list(FAULTS), gap_s=0.7))
        await session.live(lambda: not breaking.done())
        await breaking
        await do_each_act(session)
        await session.fall_quiet()
        clean = judge_all(await session.look())
        injected, missed, unfinished = list(injector.injected), list(injector.missed), list(session.unfinished)

        await restart_with(session, injector, SEEDED_FAULTS)
        await asyncio.gather(*(provoke(fault, session, injector) for fault in PROVOKED))
        # The last one ends the web process. Its file is also the one that is charged twice.
        await provoke(SeededFault.ACK_BEFORE_COMMIT, session, injector)
        await session.until_idle()
        seeded = judge_all(await session.look())
        return Found(_by_number(clean), injected, missed, unfinished, dict(session.done()), _by_number(seeded))
    finally:
        try:
            if session is not None:
                await session.leave()
            await installation.stop()
        finally:
            installation.remove()


def _by_number(verdicts: list[Verdict]) -> dict[int, Verdict]:
    return {verdict.number: verdict for verdict in verdicts}


@pytest.mark.soak
def test_nothing_is_lost_when_processes_die(found: Found) -> None:
    assert found.unfinished == []
    assert [sentence for verdict in found.clean.values() for sentence in verdict.violations] == []


@pytest.mark.soak
def test_the_faults_struck_and_the_invariants_had_something_to_judge(found: Found) -> None:
    struck = {each.kind for each in found.injected}
    assert {Kind.API, Kind.UPLOADS, Kind.RELAY} <= struck
    assert len(struck) + len(found.missed) == len(FAULTS)
    assert [each.kind for each in found.injected if each.back_s is None] == []
    assert found.done["uploads"] > 0
    assert found.done["edits"] > 0
    assert found.done["texts"] > 0
    assert found.done["speakers"] > 0
    assert found.done["restored"] > 0
    assert found.done["deleted for good"] > 0
    assert found.done["plan: buy"] > 0
    assert found.done["plan: change"] > 0
    assert found.done["admin: change"] > 0
    judged = {number for number, verdict in found.clean.items() if verdict.checked}
    assert judged == set(range(1, 11))


@pytest.mark.soak
@pytest.mark.parametrize("fault", SEEDED_FAULTS)
def test_a_planted_fault_is_found(found: Found, fault: SeededFault) -> None:
    assert found.seeded[CAUGHT_BY[fault]].violations


FIT = """
import importlib, sys
from benchmarks.soak.durability.patching import patch_imports
from benchmarks.soak.durability.seeded_faults import patches

wanted = patches(4.0, sys.argv[1])
patch_imports(wanted)
for module in wanted:
    importlib.import_module(module)
"""


@pytest.mark.long
def test_every_planted_fault_still_fits_the_product(tmp_path: Path) -> None:
    """A name that moved would end the processes of an installation. The campaign plants them one by one."""
    listed = tmp_path / "seeded_faults"
    listed.write_text(" ".join(SeededFault))
    done = subprocess.run([sys.executable, "-c", FIT, str(listed)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
