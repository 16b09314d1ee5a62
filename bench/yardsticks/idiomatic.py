"""A FreeCell race server as one would write it on an afternoon: a coroutine a connection, `msgpack`, our rules,
`broadcast`. No identities, no limits, no store, no time, nothing durable."""

import importlib
import time
from collections import defaultdict
from typing import Any

from tools.protocol.lines import DEAL
from websockets.asyncio.server import ServerConnection, broadcast
from websockets.exceptions import ConnectionClosed

from bench.yardsticks.serving import run
from cellrace_engine import CLASSIC, Line, Refusal, deal, read_move

msgpack: Any = importlib.import_module("msgpack")  # it has no types

races: dict[str, list[ServerConnection]] = defaultdict(list)


class Board:
    """One player's board, and what is said about it."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.n = 0
        self.line = Line.begin(CLASSIC, deal(DEAL))

    def act(self, message: list[Any]) -> tuple[list[Any], list[Any]]:
        """The answer to the player, and what everybody else is told."""
        after: Line | Refusal
        if message[0] == "restart":
            after = self.line.restart()
        else:
            move = read_move(message[3], self.line.position, CLASSIC)
            after = move if isinstance(move, Refusal) else self.line.try_play(move)
        if isinstance(after, Refusal) or message[2] != self.n + 1:
            return ["no", message[1], message[2], "illegal"], []
        self.n += 1
        self.line = after
        now = int(time.monotonic() * 1_000)
        transfers = [list(transfer) for transfer in after.step.transfers] if after.step is not None else []
        return (
            ["a", message[1], self.n, now, self.n, transfers],
            ["p", message[1], self.n, now, self.seat, after.cards_home, after.moves],
        )


async def play(socket: ServerConnection) -> None:
    sitting: list[ServerConnection] = []
    board: Board | None = None
    try:
        async for payload in socket:
            message = msgpack.unpackb(payload)
            if message[0] == "join":
                sitting = races[message[1]]
                board = Board(len(sitting))
                sitting.append(socket)
                await socket.send(msgpack.packb(["in", board.seat]))
            elif board is not None:
                answer, told = board.act(message)
                await socket.send(msgpack.packb(answer))
                if told:
                    broadcast([other for other in sitting if other is not socket], msgpack.packb(told))
    except ConnectionClosed:
        pass
    finally:
        if socket in sitting:
            sitting.remove(socket)


if __name__ == "__main__":
    run(play)
