"""The table of OWASP's verification standard has each requirement of levels 1 and 2, and names tests that exist."""

from __future__ import annotations

import re
from pathlib import Path

PROJECT = Path(__file__).parents[3]
TABLE = (PROJECT / "docs" / "asvs.md").read_text()
ROW = re.compile(r"^\| ([\d.]+)(?:–([\d.]+))? \| (\S[^|]*) \| ([^|]+) \| ?([^|]*)\|$", re.MULTILINE)
STATES = {"met", "partly", "not", "none here"}
WITHOUT_TEST = {"3.7.1", "6.2.10", "6.4.2"}
"""What is met by there being nothing to test."""

# How many requirements each section of version 5.0.0 has, and which of them belong to level 3 alone.
SECTIONS: dict[str, tuple[int, set[int]]] = {
    **{"1.1": (2, set()), "1.2": (10, {10}), "1.3": (12, {12}), "1.4": (3, set()), "1.5": (3, {3})},
    **{"2.1": (3, set()), "2.2": (3, set()), "2.3": (5, {5}), "2.4": (2, {2})},
    **{"3.1": (1, {1}), "3.2": (3, {3}), "3.3": (5, {5}), "3.4": (8, {7, 8}), "3.5": (8, {6, 7, 8}), "3.6": (1, {1})},
    **{"3.7": (5, {3, 4, 5}), "4.1": (5, {4, 5}), "4.2": (5, {2, 3, 4, 5}), "4.3": (2, set()), "4.4": (4, set())},
    **{"5.1": (1, set()), "5.2": (6, {4, 5, 6}), "5.3": (3, {3}), "5.4": (3, set())},
    **{"6.1": (3, set()), "6.2": (12, set()), "6.3": (8, {5, 6, 7, 8}), "6.4": (6, {5, 6}), "6.5": (8, {6, 7, 8})},
    **{"6.6": (4, {4}), "6.7": (2, {1, 2}), "6.8": (4, set())},
    **{"7.1": (3, set()), "7.2": (4, set()), "7.3": (2, set()), "7.4": (5, set()), "7.5": (3, {3}), "7.6": (2, set())},
    **{"8.1": (4, {3, 4}), "8.2": (4, {4}), "8.3": (3, {2, 3}), "8.4": (2, {2}), "9.1": (3, set()), "9.2": (4, set())},
    **{"10.1": (2, set()), "10.2": (3, {3}), "10.3": (5, {5}), "10.4": (16, {12, 13, 14, 15, 16}), "10.5": (5, set())},
    **{"10.6": (2, set()), "10.7": (3, set())},
    **{"11.1": (4, {3, 4}), "11.2": (5, {4, 5}), "11.3": (5, {4, 5}), "11.4": (4, set()), "11.5": (2, {2})},
    **{"11.6": (2, {2}), "11.7": (2, {1, 2}), "12.1": (5, {4, 5}), "12.2": (2, set()), "12.3": (5, {5})},
    **{"13.1": (4, {2, 3, 4}), "13.2": (6, {6}), "13.3": (4, {3, 4}), "13.4": (7, {6, 7})},
    **{"14.1": (2, set()), "14.2": (8, {5, 6, 7, 8}), "14.3": (3, set())},
    **{"15.1": (5, {4, 5}), "15.2": (5, {4, 5}), "15.3": (7, set()), "15.4": (4, {1, 2, 3, 4})},
    **{"16.1": (1, set()), "16.2": (5, set()), "16.3": (4, set()), "16.4": (3, set()), "16.5": (4, {4})},
    **{"17.1": (2, {2}), "17.2": (8, {5, 6, 7, 8}), "17.3": (2, set())},
}
WANTED = [
    f"{section}.{number}"
    for section, (count, beyond) in SECTIONS.items()
    for number in range(1, count + 1)
    if number not in beyond
]


def test_each_requirement_of_the_first_two_levels_has_a_row() -> None:
    assert len(WANTED) == 253
    found: list[str] = []
    for first, last, *_ in ROW.findall(TABLE):
        start = WANTED.index(first)
        found += WANTED[start : WANTED.index(last or first) + 1]
    assert found == WANTED


def test_what_is_said_to_hold_has_a_test() -> None:
    rows = ROW.findall(TABLE)
    assert {state for _, _, state, *_ in rows} <= STATES
    for first, _, state, _, tests in rows:
        named = re.findall(r"`([^`]+)`", tests)
        assert named or state != "met" or first in WITHOUT_TEST, first
        for path in named:
            assert (PROJECT / path).is_file(), path
