"""A process that drains: requests under way end, new ones wait. And how long a refused caller waits."""

from __future__ import annotations

import threading

import pytest

from cluster.testing.patience import PATIENCE_S
from serve.core.client import LONGEST_WAIT_S, SPREAD, pause_s
from serve.core.messages import EngineRefused
from serve.core.sending import Sending


def test_requests_under_way_end_and_new_ones_wait_until_sending_resumes() -> None:
    sending, closed, begun = Sending(), threading.Event(), threading.Event()

    def late() -> None:
        with sending.request(closed):
            begun.set()

    with sending.request(closed):
        sending.pause()
        assert not sending.is_quiet()
        waiting = threading.Thread(target=late)
        waiting.start()
    assert sending.is_quiet()
    assert not begun.is_set()
    sending.resume()
    assert begun.wait(PATIENCE_S)
    waiting.join(PATIENCE_S)
    assert not sending.is_quiet()


def test_a_client_that_closes_does_not_wait() -> None:
    sending, closed = Sending(), threading.Event()
    sending.pause()
    closed.set()
    with pytest.raises(EngineRefused), sending.request(closed):
        raise AssertionError("it began")
    assert sending.is_quiet()


def test_a_refused_caller_waits_as_told_and_longer_each_time() -> None:
    for refusals, expected in ((0, 2.0), (1, 2.0), (2, 4.0), (3, 8.0), (100, LONGEST_WAIT_S)):
        waits = [pause_s(2.0, refusals) for _ in range(50)]
        assert all(expected <= wait <= expected * (1 + SPREAD) for wait in waits)
        assert len(set(waits)) > 1, "callers refused together must not return together"
    assert pause_s(60.0, 9) >= 60.0
