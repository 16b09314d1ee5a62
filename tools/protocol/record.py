"""`python -m tools.protocol.record URL`: have a server lead all conversations, and keep what it said."""

import asyncio
import sys
from pathlib import Path

import msgspec
from msgspec.structs import replace

from cellrace_client.conformance import Conversation, run
from cellrace_client.conformance.conversation import Message
from tools.protocol.conversations import scripts

FOLDER = Path(__file__).parents[2] / "protocol" / "vectors" / "conversations"


def text(conversation: Conversation) -> str:
    """The file of a conversation: one line a step."""
    steps = ",\n".join(msgspec.json.encode(step).decode() for step in conversation.steps)
    head = msgspec.json.encode({"name": conversation.name, "about": conversation.about}).decode()
    return f'{head[:-1]},"steps":[\n{steps}\n]}}\n'


async def recorded(url: str, conversation: Conversation) -> Conversation:
    """The conversation with what `url` said in it. Raises `SystemExit` where it did not say what it should."""
    examples: dict[int, Message] = {}
    verdict = await run(url, conversation, examples.__setitem__)
    if verdict.fault:
        raise SystemExit(
            f"{conversation.name}, step {verdict.step} (clause {verdict.clause}): {verdict.fault}"
        )
    steps = [
        replace(step, example=examples[index]) if index in examples else step
        for index, step in enumerate(conversation.steps)
    ]
    return replace(conversation, steps=steps)


async def _main(url: str) -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for conversation in scripts():
        done = await recorded(url, conversation)
        (FOLDER / f"{done.name}.json").write_text(text(done), encoding="utf-8")
        print(f"{done.name}: {len(done.steps)} steps")


if __name__ == "__main__":
    asyncio.run(_main(sys.argv[1]))
