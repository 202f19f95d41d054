"""Passwords are compared at the same cost whether there is such an account or not."""

from __future__ import annotations

import argon2
import pytest
from argon2.exceptions import VerifyMismatchError

from api.auth import passwords


async def test_a_password_fits_its_own_hash_alone() -> None:
    made = await passwords.hash_password("correct horse battery")
    assert await passwords.password_matches("correct horse battery", made)
    assert not await passwords.password_matches("correct horse", made)
    assert not await passwords.password_matches("correct horse battery", "not a hash")
    assert not await passwords.password_matches("", None)


async def test_nobody_costs_what_somebody_costs() -> None:
    nobody = argon2.extract_parameters(passwords._NOBODY)
    assert nobody == argon2.extract_parameters(await passwords.hash_password("correct horse battery"))
    # Compared to the end, and not refused at a glance.
    with pytest.raises(VerifyMismatchError):
        argon2.PasswordHasher().verify(passwords._NOBODY, "nobody has this password")
