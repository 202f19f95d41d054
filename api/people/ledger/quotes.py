"""What work will use, said before it starts."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from sqlalchemy.ext.asyncio import AsyncSession

from api.people.ledger.balances import Balance, balance
from api.people.ledger.prices import cents_of, priced
from api.people.ledger.sentences import quote_sentence, refusal
from api.platform.jobs.states import JobKind


@dataclass(frozen=True, slots=True)
class Quote:
    """The seconds that work needs, and who pays. `sentence` is None where nothing is counted."""

    seconds: int
    fits: bool
    included: int
    extra: int
    extra_cents: int
    sentence: str | None
    balance: Balance


async def quote(session: AsyncSession, payer_id: uuid.UUID, seconds: int, *, is_payer: bool) -> Quote:
    """What transcribing `seconds` of sound will use now. Reserves nothing: a later upload may be quicker."""
    needed = priced(JobKind.TRANSCRIBE, seconds)
    left = await balance(session, payer_id)
    included = needed if left.available is None else min(needed, left.available)
    extra = needed - included
    fits = extra == 0 or left.extra.fits(extra)
    sentence = None
    if left.is_enforced:
        sentence = (
            quote_sentence(needed, included, left) if fits else refusal(needed, left, is_payer=is_payer, is_begun=False)
        )
    return Quote(
        seconds=needed,
        fits=fits,
        included=included,
        extra=extra,
        extra_cents=cents_of(extra * left.extra.price_minute),
        sentence=sentence,
        balance=left,
    )
