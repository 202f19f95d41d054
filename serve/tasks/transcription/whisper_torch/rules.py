"""Which tokens may follow: Whisper's rules for timestamps, and tokens that are no speech.

The rules are those of openai/whisper's `ApplyTimestampRules` in the form of CTranslate2, so both engines choose alike.
Nothing here makes the device wait: a step must run inside a CUDA graph.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch

MAX_INITIAL_TIMESTAMP = 50
"""The first time of a window is at most this many timestamps, of 20 ms each, after its start."""


class TokenRules:
    """Masks the scores of one step."""

    def __init__(
        self,
        *,
        vocabulary: int,
        end_of_text: int,
        timestamp_begin: int,
        suppressed: Sequence[int],
        device: torch.device,
    ) -> None:
        self._begin = timestamp_begin
        ids = torch.arange(vocabulary, device=device)
        self._never = torch.zeros(vocabulary, dtype=torch.bool, device=device)
        # The token before the first time asks for a text without times.
        self._never[[*suppressed, timestamp_begin - 1]] = True
        self._times = ids >= timestamp_begin
        self._not_first = (ids < timestamp_begin) | (ids > timestamp_begin + MAX_INITIAL_TIMESTAMP)
        self._text = ids < end_of_text
        self._ids = ids

    def __call__(
        self,
        scores: torch.Tensor,
        *,
        is_first: torch.Tensor,
        last: torch.Tensor,
        before_last: torch.Tensor,
        latest_time: torch.Tensor,
    ) -> torch.Tensor:
        """Scores (rows, vocabulary) with -inf for tokens that may not follow.

        The other arguments have one value a row: whether this is the first token after the prompt, the two tokens
        before it (equal where there is only one), and the last timestamp, 0 without one.
        """
        after_first = ~is_first
        is_time = after_first & (last >= self._begin)
        is_pair = is_time & (before_last >= self._begin)
        forbidden = (
            self._never
            | (is_first[:, None] & self._not_first)
            | (is_pair[:, None] & self._times)
            | ((is_time & ~is_pair)[:, None] & self._text)
            | (after_first[:, None] & self._times & (self._ids < latest_time[:, None]))
        )
        allowed = scores.masked_fill(forbidden, -torch.inf)
        # Where all times together are likelier than any other token, the next one is a time.
        times = allowed[:, self._begin :].logsumexp(-1)
        likeliest = allowed[:, : self._begin].amax(-1)
        prefers_time = after_first & ~is_pair & (times > likeliest)
        return allowed.masked_fill(prefers_time[:, None] & ~self._times, -torch.inf)
