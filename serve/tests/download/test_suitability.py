"""Which of the models for download suits the machine."""

from __future__ import annotations

import pytest

from serve.core.models.suitability import Machine, suitable


@pytest.mark.parametrize(
    ("machine", "model"),
    [
        (Machine(cores=2, memory=8 * 10**9, gpu_memory=0), "base"),
        (Machine(cores=8, memory=4 * 10**9, gpu_memory=0), "base"),
        (Machine(cores=8, memory=16 * 10**9, gpu_memory=0), "small"),
        (Machine(cores=64, memory=256 * 10**9, gpu_memory=0), "small"),
        (Machine(cores=1, memory=10**9, gpu_memory=0), "tiny"),
        (Machine(cores=8, memory=32 * 10**9, gpu_memory=4 * 10**9), "small"),
        (Machine(cores=8, memory=32 * 10**9, gpu_memory=24 * 10**9), "large-v3-turbo"),
    ],
)
def test_the_model_suits_the_machine(machine: Machine, model: str) -> None:
    assert suitable(["large-v3-turbo", "small", "base", "tiny"], machine) == model


def test_a_list_of_ones_own_is_taken_as_it_is() -> None:
    machine = Machine(cores=2, memory=8 * 10**9, gpu_memory=0)
    assert suitable(["someone/whisper-is"], machine) == "someone/whisper-is"
