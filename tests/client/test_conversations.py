"""The recorded conversations test a client without a server: what was said keeps its boards right."""

import msgspec
import pytest

from cellrace_client.conformance import Conversation, conversations
from cellrace_client.model import RaceModel
from cellrace_protocol import events as e
from cellrace_protocol.codecs import CLIENT_CODECS, JSON

decode = CLIENT_CODECS[JSON].decode


def heard(talk: Conversation, by: str) -> list[e.AnyServerMessage]:
    """All that one connection was told when the conversation was recorded."""
    told = [step.example for step in talk.steps if step.by == by and step.example is not None]
    return [decode(msgspec.json.encode(message).decode()) for message in told]


PARTIES = [(talk, by) for talk in conversations() for by in sorted({step.by for step in talk.steps})]


@pytest.mark.parametrize(("talk", "by"), PARTIES, ids=lambda value: getattr(value, "name", value))
def test_a_model_keeps_up_with_what_was_said(talk: Conversation, by: str) -> None:
    """Facts in order and checksums are checked by the model; every snapshot must agree with what came before it."""
    model: RaceModel | None = None
    newest = 0
    for message in heard(talk, by):
        if isinstance(message, e.Snapshot):
            if model is not None and (model.race, model.k) == (message.race, message.k):
                shown = {i: seat.board.text for i, seat in enumerate(model.seats) if seat.board is not None}
                said = {i: view.board for i, view in enumerate(message.seats) if view.board}
                assert {i: text for i, text in shown.items() if i in said} == {
                    i: said[i] for i in shown if i in said
                }
            model, newest = RaceModel(message), message.k
        elif isinstance(message, e.RaceMessage) and model is not None and message.k > newest:
            model.apply(message)
            newest = message.k


def test_there_is_something_to_keep_up_with() -> None:
    facts = [
        message for talk, by in PARTIES for message in heard(talk, by) if isinstance(message, e.RaceMessage)
    ]
    assert len(facts) > 300
    assert sum(1 for message in facts if getattr(message, "sum", 0)) > 10
