"""Entity tags: whether whoever asks has it already."""

import re

from websockets.datastructures import Headers

_TAG = re.compile(r'(?:W/)?("[^"]*")')


def if_none_match(headers: Headers) -> str:
    """What is said in it, which may stand on several lines; empty where it is not said."""
    return ", ".join(headers.get_all("If-None-Match"))


def matches(asked: str, tag: str) -> bool:
    """Whether `asked`, an `If-None-Match`, names this tag. Compared weakly (RFC 9110): `W/` does not matter."""
    return asked.strip() == "*" or tag in _TAG.findall(asked)
