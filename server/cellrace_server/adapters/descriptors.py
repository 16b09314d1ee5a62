"""Open files: every connection is one, and systems allow few unless asked."""

try:
    import resource
except ImportError:  # Windows has no such limit
    resource = None  # type: ignore[assignment]

SPARE = 200
"""Files besides connections: the store, the workers, the log, connections that are being turned away."""


def allow_connections(most: int) -> int:
    """Ask the system for as many open files as `most` connections need; how many connections it allows then, `most` at
    the most. What this process had is never taken back."""
    if resource is None:
        return most
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = most + SPARE
    if hard != resource.RLIM_INFINITY:
        wanted = min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            soft = wanted
        except (ValueError, OSError):  # some systems have a lower limit than they say
            pass
    return most if soft == resource.RLIM_INFINITY else max(0, min(most, soft - SPARE))
