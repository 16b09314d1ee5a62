"""URLs as they may be printed."""


def public(url: str) -> str:
    """The URL as it may be printed: where it leads, and nothing that could be a name or a password."""
    scheme, mark, rest = url.partition("://")
    place, question, query = rest.partition("?")
    if not mark or "@" in query or "\0" in url:
        return f"{scheme}://…" if mark else "…"
    _, at, place = place.rpartition("@")
    host, slash, path = place.partition("/")
    name, colon, port = host.rpartition(":")
    if colon and not port.isdecimal() and not host.endswith("]"):  # a password that has lost its host
        host = f"{name}:…"
    shown = "&".join(_public_parameter(text) for text in query.split("&"))
    return f"{scheme}://{'…@' if at else ''}{host}{slash}{path}{question}{shown if question else ''}"


def _public_parameter(text: str) -> str:
    name, mark, value = text.partition("=")
    known = name in ("db", "ssl_ca_certs", "ssl_cert_reqs", "ssl_check_hostname")
    return f"{name}={value if known else '…'}" if mark else "…"
