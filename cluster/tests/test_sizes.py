from __future__ import annotations

import pytest

from cluster.sizes import size_in_words


@pytest.mark.parametrize(
    ("count", "words"),
    [(20_000_000_000, "20 GB"), (1_500_000_000, "1.5 GB"), (3_000_000, "3 MB"), (500_000, "0.5 MB")],
)
def test_a_megabyte_has_a_million_bytes(count: int, words: str) -> None:
    assert size_in_words(count) == words
