"""Passwords that are too easy to guess, verdict by zxcvbn's lists and patterns."""

from __future__ import annotations

from cluster.wording.message import Message

GUESSES_MIN = 1_000_000
"""zxcvbn's score of 2. Its authors call anything below it very guessable, even where attempts are limited."""
EXAMINED_CHARS = 72
"""zxcvbn examines no more than this, because its time grows with the square of the length."""

WEAK = Message("auth.weak", "This password is easy to guess. Choose a longer one, for example several unrelated words.")


def is_weak(password: str, *, name: str, email: str) -> bool:
    """Whether it is blank, common, a simple pattern, or made of the person's own name or e-mail."""
    # The lists take 30 ms to load, and only registrations need them.
    from zxcvbn import zxcvbn

    if not password.strip():
        return True
    own = [email, *email.replace("@", ".").split("."), name, *name.split(), "sagascript"]
    verdict = zxcvbn(password[:EXAMINED_CHARS], user_inputs=[word.lower() for word in own if word])
    return bool(verdict["guesses"] < GUESSES_MIN)
