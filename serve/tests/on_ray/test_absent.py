"""A cluster on which nobody has deployed anything, so this module runs first."""

from __future__ import annotations

import pytest

from serve.application import is_ready
from serve.core.messages import EngineRefused
from serve.tasks.transcription.client import TranscriberClient


@pytest.mark.long
def test_no_application_is_a_refusal_that_says_where_to_look() -> None:
    assert not is_ready()
    with (
        TranscriberClient(deadline_s=5) as client,
        pytest.raises(EngineRefused, match="can see why under Models"),
    ):
        client.describe()
