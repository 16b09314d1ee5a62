"""The types of fields: every one bounded, so that decoding refuses what no honest peer sends."""

from typing import Annotated

from msgspec import Meta

VERSION = 1
"""The protocol's version. Fields may be added at the end of messages within it."""

FRAME_BYTES_MOST = 2_048
"""The largest message a client may send."""

Version = Annotated[int, Meta(ge=1, le=65_535)]
Request = Annotated[int, Meta(ge=0, le=2**31 - 1)]
Channel = Annotated[int, Meta(ge=0, le=2**31 - 1)]
FactNumber = Annotated[int, Meta(ge=0, le=2**31 - 1)]
ActionNumber = Annotated[int, Meta(ge=0, le=2**31 - 1)]
NewAction = Annotated[int, Meta(ge=1, le=2**31 - 1)]
SeatIndex = Annotated[int, Meta(ge=-1, le=15)]
SeatCount = Annotated[int, Meta(ge=1, le=16)]
Count = Annotated[int, Meta(ge=0, le=2**31 - 1)]
Milliseconds = Annotated[int, Meta(ge=0, le=2**53 - 1)]
Countdown = Annotated[int, Meta(ge=0, le=60_000)]
Limit = Annotated[int, Meta(ge=1_000, le=86_400_000)]
Delay = Annotated[int, Meta(ge=-1, le=600_000)]
Points = Annotated[int, Meta(ge=0, le=2**31 - 1)]
Checksum = Annotated[int, Meta(ge=0, le=2**32 - 1)]
Transfer = Annotated[int, Meta(ge=0, le=13 * 256 - 1)]
"""`(count - 1) * 256 + source * 16 + destination`; piles 0-7 columns, 8-11 cells, 12-15 foundations C D H S."""

MoveText = Annotated[str, Meta(min_length=2, max_length=8)]
NameText = Annotated[str, Meta(max_length=64)]
TokenText = Annotated[str, Meta(max_length=128)]
InstanceText = Annotated[str, Meta(pattern=r"^[A-Za-z0-9]{0,16}(?!\n)$")]
RaceText = Annotated[str, Meta(max_length=32)]
DealText = Annotated[str, Meta(max_length=32)]
DayText = Annotated[str, Meta(max_length=10)]
"""A UTC day as `2026-11-30`; empty where there is none."""

RulesText = Annotated[str, Meta(max_length=256)]
RunText = Annotated[str, Meta(max_length=64)]
BoardText = Annotated[str, Meta(max_length=96)]
CodeText = Annotated[str, Meta(max_length=64)]
GhostRuns = Annotated[list[RunText], Meta(min_length=1, max_length=8)]
Words = Annotated[str, Meta(max_length=1_024)]

WholeFact = Annotated[int, Meta(ge=-(2**53 - 1), le=2**53 - 1)]
TextFact = Annotated[str, Meta(max_length=192)]
"""As long as the 64 characters of a name get where they are composed."""

Facts = Annotated[
    dict[Annotated[str, Meta(min_length=1, max_length=16)], WholeFact | TextFact], Meta(max_length=8)
]
"""What a program needs to say something in words of its own, by names such as `reason`; mostly empty."""
