"""`cellrace replay`."""

import argparse

from cellrace_client.cli.online import run_online
from cellrace_client.client import connect


def run(arguments: argparse.Namespace) -> int:
    return run_online(_replay(arguments.url, arguments.run))


async def _replay(url: str, run_name: str) -> int:
    async with connect(url) as client:
        print(await client.replay(run_name))
    return 0
