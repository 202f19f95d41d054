"""Decode short sounds while their programs wait, so that such a call is one job and not two."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated, cast

from fastapi import Depends, Request

from api.edges.speech.limits import DECODING_WAIT_S
from pipelines.media.sound.short_sound import ShortSounds


class Decoding:
    """The child process of one web process that decodes. It takes one file at a time."""

    def __init__(self, *, is_allowed: bool) -> None:
        """`is_allowed` is false where the nodes that decode are others than this one, which holds secrets."""
        self._is_allowed = is_allowed
        self._sounds = ShortSounds()
        self._turn = asyncio.Lock()

    async def decode(self, sound: Path, wav: Path) -> int | None:
        """As `ShortSounds.decode`; None also when others keep the child busy, and where it is not allowed."""
        if not self._is_allowed:
            return None
        try:
            async with asyncio.timeout(DECODING_WAIT_S):
                await self._turn.acquire()
        except TimeoutError:
            return None
        try:
            return await asyncio.to_thread(self._sounds.decode, sound, wav)
        finally:
            self._turn.release()

    async def close(self) -> None:
        await asyncio.to_thread(self._sounds.close)


# A coroutine: FastAPI would send a plain function through a thread, for each request.
async def _shared(request: Request) -> Decoding:
    return cast(Decoding, request.app.state.decoding)


SharedDecoding = Annotated[Decoding, Depends(_shared)]
"""The one of the web process, for routes."""
