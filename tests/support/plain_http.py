"""One plain HTTP request, said as it is, and its answer."""

import asyncio
import json
from typing import Any, NamedTuple

WITHIN = 10


class Answer(NamedTuple):
    """A plain HTTP answer. `headers` is their text."""

    status: int
    headers: str
    body: str

    def header(self, name: str) -> str:
        """The value of a header, in whatever case its name is written; empty where there is none."""
        for line in self.headers.splitlines():
            found, _, value = line.partition(":")
            if found.lower() == name.lower():
                return value.strip()
        return ""

    @property
    def json(self) -> Any:
        return json.loads(self.body)


async def fetch(port: int, target: str, method: str = "GET", **headers: str) -> Answer:
    """Ask this machine; `If_None_Match` is said as `If-None-Match`. Raises `OSError` when nobody listens."""
    lines = [f"{method} {target} HTTP/1.1", "Host: localhost"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    async with asyncio.timeout(WITHIN):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(("\r\n".join(lines) + "\r\n\r\n").encode())
        raw = (await reader.read()).decode()
        writer.close()
    head, _, body = raw.partition("\r\n\r\n")
    status, _, said = head.partition("\r\n")
    return Answer(int(status.split()[1]) if status else 0, said, body)
