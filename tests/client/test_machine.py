"""What is printed for machines."""

import json

from cellrace_client.cli.machine import json_of
from cellrace_protocol import events as e
from cellrace_protocol.commands import Kind


def test_messages_are_objects_by_the_names_of_their_fields() -> None:
    row = e.RankRow(1, "b0b", "Bob", 1_500, 90, 12, 1_000)
    ratings = e.Ratings(7, "classic", Kind.HUMAN, [row], 0, 1, [], 0, 0)
    found = json.loads(json_of(ratings))
    assert found["rows"] == [
        {"place": 1, "player": "b0b", "name": "Bob", "rating": 1500, "deviation": 90, "races": 12, "at": 1000}
    ]
    assert found["kind"] == "human"
    assert "r" not in found
    assert json.loads(json_of([row, row])) == found["rows"] * 2
    assert json.loads(json_of({"rows": [row]})) == {"rows": found["rows"]}
    assert "é" in json_of({"name": "René"})
