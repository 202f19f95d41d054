"""Which jobs find room, counted by node. Ray's report already includes replicas and other users of the cluster."""

from __future__ import annotations

from api.platform.jobs.dispatch.slots import Slots


def test_a_laptop_runs_what_fits_beside_its_replica() -> None:
    slots = Slots([3.5])
    assert [slots.take(cpus) for cpus in (1.0, 1.0, 1.0, 0.25, 0.25, 0.25)] == [True, True, True, True, True, False]


def test_a_job_fits_only_if_one_node_has_room_for_it() -> None:
    slots = Slots([0.75, 0.75])
    assert not slots.take(1.0), "1.5 slots are free, and no node has 1.0"
    assert slots.take(0.25)


def test_replicas_are_counted_on_the_node_that_holds_them() -> None:
    """Two nodes of 4 slots: one holds three replicas of one slot each, the other none."""
    slots = Slots([1.0, 4.0])
    assert [slots.take(1.0) for _ in range(6)] == [True] * 5 + [False]


def test_a_full_cluster_takes_nothing() -> None:
    assert not Slots([0.0, 0.0]).take(0.25)


def test_jobs_that_are_starting_hold_their_slots_before_the_report_shows_them() -> None:
    slots = Slots([2.0, 2.0], starting=[1.0, 1.0, 1.0])
    assert slots.take(1.0)
    assert not slots.take(0.25)


def test_starting_jobs_are_assumed_where_they_leave_the_least_room() -> None:
    assert not Slots([1.0, 1.0], starting=[0.25, 0.25]).take(1.0), "each may have gone to another node"


def test_a_starting_job_that_fits_nowhere_blocks_nobody() -> None:
    assert Slots([1.0], starting=[8.0]).take(1.0)


def test_fractions_of_slots_add_up() -> None:
    slots = Slots([1.0 - 0.1 - 0.2 - 0.2])
    assert slots.take(0.25)
    assert slots.take(0.25)
    assert not slots.take(0.25)


def test_the_first_job_of_an_idle_cluster_takes_room_like_any_other() -> None:
    slots = Slots([1.5], is_idle=True)
    assert [slots.take(1.0), slots.take(1.0)] == [True, False]


def test_an_idle_cluster_starts_one_job_whatever_its_size() -> None:
    slots = Slots([0.5], is_idle=True)
    assert slots.take(1.0), "else it would wait forever"
    assert not slots.take(1.0)
    assert Slots([], is_idle=True).take(1.0), "a cluster without nodes may grow"
