"""The compared relay: `websockets.broadcast` in a loop. `python -m benchmarks.goals.relay.minimal PORT`.

It has no channels, signatures or order between publishers: each message on `/publish` goes to everyone else.
"""

from __future__ import annotations

import asyncio
import sys

from websockets.asyncio.server import ServerConnection, broadcast, serve


async def main(port: int) -> None:
    listeners: set[ServerConnection] = set()

    async def talk(connection: ServerConnection) -> None:
        if connection.request is not None and connection.request.path == "/publish":
            async for message in connection:
                broadcast(listeners, message)
            return
        listeners.add(connection)
        try:
            await connection.wait_closed()
        finally:
            listeners.discard(connection)

    async with serve(talk, "127.0.0.1", port, compression=None, ping_interval=None):
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
