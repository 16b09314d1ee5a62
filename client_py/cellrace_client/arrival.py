"""Coming to a server as whom one was there before."""

from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial

from cellrace_client.client import PATIENCE_S, Client, OnConnection, OnNotice, connect
from cellrace_client.errors import RequestFailed
from cellrace_client.identities import TOKEN_REFUSED, Identities


@asynccontextmanager
async def arrive(
    url: str,
    kept: Identities,
    *,
    name: str,
    on_notice: OnNotice,
    on_connection: OnConnection | None = None,
) -> AsyncGenerator[Client]:
    """Connect, patiently, with the token that is kept for a server. One that the server does not take any more is no
    reason to stay away: then as somebody new. Nothing is kept here: what is to be kept is the client's `token`.

    Raises what `connect` raises; a name that the server does not want costs nobody their identity."""
    token = kept.token(url)
    come = partial(
        connect, url, name=name, reconnect_s=PATIENCE_S, on_notice=on_notice, on_connection=on_connection
    )
    async with AsyncExitStack() as stack:
        try:
            client = await stack.enter_async_context(come(token=token))
        except RequestFailed as error:
            if not token or error.code not in TOKEN_REFUSED:
                raise
            client = await stack.enter_async_context(come(token=""))
        yield client


def is_known_otherwise(client: Client, kept: str, wished: str) -> bool:
    """Whether who came with the token `kept`, and wished for a name, is somebody already, of another name."""
    return bool(kept and wished) and client.token == kept and client.name != wished
