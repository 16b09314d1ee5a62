"""`python -m cellrace_server`, and the command `cellrace-server`."""

import gc
import sys


def main() -> int:
    """Run the server until SIGTERM or SIGINT. Returns the exit status."""
    gc.disable()  # modules are no garbage: to look for it while they come in costs a fifth of the start
    from cellrace_server.cli import main as run  # noqa: PLC0415

    gc.enable()
    return run()


if __name__ == "__main__":
    sys.exit(main())
