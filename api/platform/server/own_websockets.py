"""Websockets that the application answers itself, as uvicorn speaks them."""

from __future__ import annotations

from uvicorn._types import ASGISendEvent
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

PATHS = (b"/v1/realtime",)
"""Others go to the relay, where there is one."""


class OwnWebSocket(WebSocketsSansIOProtocol):
    async def send(self, message: ASGISendEvent) -> None:
        await super().send(message)
        if self.initial_response is not None and self.close_sent:
            # uvicorn 0.54 would log an error for each opening that is refused.
            self.handshake_complete = True
