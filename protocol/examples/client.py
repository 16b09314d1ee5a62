"""A whole cellrace client in a page: python client.py ws://127.0.0.1:8617/ws 617 2a 2b 2c ...

Joins the open race on a deal (or opens one), plays the moves given, gives up if they do not win. It knows no rules of
FreeCell: the server's card transfers keep its board right. Needs `pip install websockets msgpack`.
"""

import sys
import zlib

import msgpack
from websockets.sync.client import connect

CARDS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
url, deal, *moves = sys.argv[1:]


def piles(board: str) -> list[str]:  # SPEC 4.4: columns, cells, foundations as the cards that lie on them
    columns, cells, heights = board.split("|")
    homes = ["".join(CARDS[4 * rank + suit] for rank in range(int(h, 16))) for suit, h in enumerate(heights)]
    return columns.split("/") + list(cells.replace("-", " ").ljust(4)) + homes


def text(p: list[str], cells: int) -> str:
    heights = "".join(format(len(pile), "x") for pile in p[12:])
    return "/".join(p[:8]) + "|" + "".join(c.strip() or "-" for c in p[8 : 8 + cells]) + "|" + heights


def transfer(p: list[str], value: int) -> None:  # SPEC 4.3
    count, source, target = (value >> 8) + 1, value >> 4 & 15, value & 15
    p[source], taken = p[source][:-count], p[source][-count:]
    p[target] = p[target].strip() + taken


with connect(url, subprotocols=["cellrace.1.msgpack"], compression=None) as ws:
    say = lambda *message: ws.send(msgpack.packb(message))
    say("hello", 1, "Example", "", "bot", "example")
    say("join", 1, deal)
    ch, n, start, board = -1, 1, "", [""]
    for frame in ws:
        name, *rest = msgpack.unpackb(frame)
        if name == "in":
            ch = rest[1]
            print("race", rest[2], "seat", rest[3])
            say("ready", ch)
        elif name == "go":
            start, board = rest[4], piles(rest[4])
        elif name == "a":  # ch, k, dt, n, transfers, then what, points, sum where they are not 0
            n = rest[3] + 1
            what, _, checksum = (rest[5:] + [0, 0, 0])[:3]
            board = piles(start) if what == 2 else board
            for value in rest[4]:
                transfer(board, value)
            assert not checksum or zlib.crc32(text(board, 4).encode()) == checksum, "the board is off"
        elif name in ("error", "no"):
            sys.exit(f"{name}: {rest}")
        elif name == "end":
            print("end", rest[3], "home", sum(map(len, board[12:])))
            break
        if name in ("go", "a") and sum(map(len, board[12:])) < 52:
            say(*(("m", ch, n, moves.pop(0)) if moves else ("giveup", ch, n)))
