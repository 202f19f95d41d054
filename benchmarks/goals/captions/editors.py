"""A process in which many people change captions, each those of an own file, one change after the other.

    python -m benchmarks.goals.captions.editors SECONDS < JSON

Reads `[{slug, line, headers, port}]`; writes the seconds of each change as JSON.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from typing import Any

LANGUAGE = "is-IS"
OK = b"http/1.1 200"


async def _edit(until: float, editor: dict[str, Any], took: list[float]) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", editor["port"])
    head = "".join(f"{name}: {value}\r\n" for name, value in editor["headers"].items())
    revision = 0
    while time.perf_counter() < until:
        change = {"action": "Edit", "line": editor["line"], "content": f"Góðan daginn {revision}", "issued": revision}
        body = json.dumps({**change, "language": LANGUAGE}).encode()
        lines = f"POST /api/files/captions/{editor['slug']} HTTP/1.1\r\nHost: 127.0.0.1\r\n{head}"
        lines += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        began = time.perf_counter()
        writer.write(lines.encode() + body)
        answer = (await reader.readuntil(b"\r\n\r\n")).lower()
        rest = await reader.readexactly(int(answer.split(b"content-length:")[1].split(b"\r\n")[0]))
        if not answer.startswith(OK):
            raise RuntimeError((answer + rest).decode(errors="replace"))
        took.append(time.perf_counter() - began)
        revision = json.loads(rest)["data"]["revision"]
    writer.close()


async def _run(seconds: float, editors: list[dict[str, Any]]) -> None:
    took: list[float] = []
    until = time.perf_counter() + seconds
    await asyncio.gather(*(_edit(until, editor, took) for editor in editors))
    json.dump(took, sys.stdout)


if __name__ == "__main__":
    asyncio.run(_run(float(sys.argv[1]), json.load(sys.stdin)))
