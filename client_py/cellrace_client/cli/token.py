"""`cellrace token`: what proves who one is on a server."""

import argparse
import sys
from pathlib import Path

from cellrace_client.cli import EXIT_NO_INPUT
from cellrace_client.cli.online import as_oneself, is_known, run_online
from cellrace_client.client import Client
from cellrace_client.identities import Identities, default_folder, keep_token


def run(arguments: argparse.Namespace) -> int:
    """Say who one is; renew or show the token where that is asked for. Returns the exit status."""
    if not is_known(arguments.url, arguments.token_file):
        print(
            f"cellrace: you have not played at {arguments.url} yet (nor said --token-file)", file=sys.stderr
        )
        return EXIT_NO_INPUT
    return run_online(_token(arguments))


async def _token(arguments: argparse.Namespace) -> int:
    async with as_oneself(arguments.url, arguments.token_file) as client:
        if arguments.renew:
            await _renew(client, arguments)
        if arguments.show:
            print(client.token)
            return 0
        print(f"{client.name}, {client.player}, on {arguments.url}")
        if arguments.renew:
            print("the token is another one now, and kept; the old one is dead")
    return 0


async def _renew(client: Client, arguments: argparse.Namespace) -> None:
    """Have another token, and keep it. Where it could not be kept the old one stays: that is tried first."""
    _keep(client, arguments)
    await client.renew_token()
    _keep(client, arguments)


def _keep(client: Client, arguments: argparse.Namespace) -> None:
    if arguments.token_file:
        keep_token(Path(arguments.token_file), client.token)
    else:
        Identities(default_folder()).keep(arguments.url, client.token)
