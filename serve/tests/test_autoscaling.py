"""How many replicas a profile asks Serve for.

`api/tests/jobs/nodes/test_autoscaling.py` lets a real cluster grow by it.
"""

from __future__ import annotations

from typing import Any

import pytest
from ray.serve.config import AutoscalingContext

from serve.core.replica.autoscaling import QUEUED, QueuedWork, replica_options
from serve.profile import load_profile
from serve.tasks.transcription.profile import TranscriptionProfile

WITHOUT = ("deployment_id", "deployment_name", "app_name", "total_queued_requests", "raw_metrics", "config")
TIMES = ("last_scale_up_time", "last_scale_down_time", "current_time")


def context(*queued: float, requests: float) -> AutoscalingContext:
    fields: dict[str, Any] = dict.fromkeys((*WITHOUT, *TIMES))
    replicas: Any = dict(enumerate(queued))
    return AutoscalingContext(
        **fields,
        current_num_replicas=1,
        target_num_replicas=1,
        running_replicas=[],
        total_num_requests=requests,
        aggregated_metrics={QUEUED: replicas} if queued else {},
        capacity_adjusted_min_replicas=0,
        capacity_adjusted_max_replicas=9,
        policy_state={},
    )


@pytest.mark.parametrize(
    ("queued", "requests", "replicas"),
    [((), 0, 0), ((), 1, 1), ((0,), 3, 1), ((120_000,), 9, 1), ((120_001,), 9, 2), ((300_000, 200_000), 9, 5)],
)
def test_no_replica_shall_have_more_than_two_minutes_waiting(
    queued: tuple[float, ...], requests: float, replicas: int
) -> None:
    assert QueuedWork(120_000)(context(*queued, requests=requests)) == (replicas, {})


def transcription(**fields: object) -> TranscriptionProfile:
    return TranscriptionProfile.model_validate({"models": ["tiny"], "hub": False, **fields})


def test_a_profile_chooses_a_fixed_number_or_bounds() -> None:
    assert replica_options(transcription(replicas=3)) == {"num_replicas": 3}
    growing = replica_options(transcription(replicas=2, max_replicas=6, scale_down_after_s=60))["autoscaling_config"]
    assert (growing.min_replicas, growing.max_replicas, growing.downscale_delay_s) == (2, 6, 60)
    assert growing.policy.policy_kwargs == {"target": 120_000}
    idle = replica_options(transcription(unload_after_s=600))["autoscaling_config"]
    assert (idle.min_replicas, idle.max_replicas, idle.policy.is_default_policy_function()) == (0, 1, True)


def test_the_bundled_profiles_start_what_fits_on_one_machine() -> None:
    assert load_profile("gpu").require(TranscriptionProfile).max_replicas is None
