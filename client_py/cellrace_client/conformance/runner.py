"""Leads conversations with a server, over raw WebSockets and without our own message types."""

import asyncio
import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec

from cellrace_client.conformance.conversation import Conversation, Message, Names, Step, filled, mismatch
from cellrace_client.conformance.wire import Unreadable, Wire, dial_raw
from cellrace_protocol.codecs import MSGPACK

PATIENCE_S = 5.0

IN_BETWEEN = ("watching", "listing")
"""Messages that may come at any time (4.8, 3.6): passed over where another one is due."""

Recorder = Callable[[int, Message], None]


class Verdict(NamedTuple):
    """How one conversation went. `fault` is empty when the server did all as it should; else `step` (from 0) and
    `clause` say where it did not. `clauses` are those that were shown."""

    conversation: str
    clauses: tuple[str, ...]
    fault: str = ""
    step: int = -1
    clause: str = ""


async def run(url: str, conversation: Conversation, record: Recorder | None = None) -> Verdict:
    """Lead one conversation. `record` is told what every `receive` step received. Raises `CannotConnect`."""
    names: Names = {}
    wires: dict[str, Wire] = {}
    shown: list[str] = []
    try:
        for index, step in enumerate(conversation.steps):
            fault = await _step(url, step, wires, names, functools.partial(record or _forget, index))
            if fault is not None:
                return Verdict(conversation.name, tuple(shown), fault, index, step.clause)
            if step.clause and step.clause not in shown:
                shown.append(step.clause)
    finally:
        for wire in wires.values():
            await wire.close()
    return Verdict(conversation.name, tuple(shown))


def _forget(_step: int, _message: Message) -> None:
    pass


async def _step(
    url: str, step: Step, wires: dict[str, Wire], names: Names, record: Callable[[Message], object]
) -> str | None:
    """Take one step; returns what is wrong with the server's part."""
    match step.do:
        case "connect":
            wires[step.by] = await dial_raw(url, step.subprotocol or MSGPACK)
        case "send":
            return _said(step, await wires[step.by].send(filled(step.message or [], names)))
        case "frame":
            frame = bytes.fromhex(step.hex) if step.hex else step.text
            return _said(step, await wires[step.by].send_frame(frame))
        case "receive":
            return await _receive(step, wires[step.by], names, record)
        case "close":
            await wires[step.by].close()
        case "closed":
            return await _closed(step, wires[step.by])
        case _:
            raise ValueError(f"no such step: {step.do}")
    return None


def _said(step: Step, is_open: bool) -> str | None:
    return None if is_open else f"{step.by}'s connection ends before all is said"


async def _receive(step: Step, wire: Wire, names: Names, record: Callable[[Message], object]) -> str | None:
    try:
        async with asyncio.timeout(PATIENCE_S):
            message: Any = await wire.receive()
            while _in_between(message, step.message):
                message = await wire.receive()
    except Unreadable as error:
        return f"{step.by} is told {error}, {_shown(step.message)} is due"
    except TimeoutError:
        return f"{step.by} is told nothing, {_shown(step.message)} is due"
    if message is None:
        return f"{step.by}'s connection ends, {_shown(step.message)} is due"
    why = mismatch(step.message, message, names)
    if why is not None:
        return f"{step.by} is told {_shown(message)}, {_shown(step.message)} is due: {why}"
    record(message)
    return None


def _in_between(message: Any, due: Message | None) -> bool:
    return bool(message and due) and message[0] in IN_BETWEEN and message[0] != (due or [""])[0]


async def _closed(step: Step, wire: Wire) -> str | None:
    try:
        async with asyncio.timeout(2 * PATIENCE_S):
            code = await wire.closed()
    except TimeoutError:
        return f"{step.by}'s connection is still open"
    return None if code == step.code else f"{step.by}'s connection is closed with {code}, {step.code} is due"


def _shown(message: object) -> str:
    text = msgspec.json.encode(message).decode()
    return text if len(text) <= 200 else text[:200] + "…"
