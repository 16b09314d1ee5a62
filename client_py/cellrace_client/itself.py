"""What one types to call this program, for commands that it tells people to type."""

import shlex
import shutil
import sys
from functools import cache
from pathlib import Path

NAME = "cellrace"


def called() -> str:
    """`cellrace` where that is found and is this program, else as it was called: `.venv/bin/cellrace`."""
    return called_as(sys.argv[0] if sys.argv else "", sys.executable)


@cache
def called_as(as_called: str, python: str) -> str:
    """The same for a program that was called so, by this interpreter; `PATH` is looked at once."""
    program = Path(as_called)
    if program == Path(__file__).with_name("__main__.py"):  # python -m cellrace_client
        program = Path(python).with_name(NAME)
        if not program.exists():
            return f"{shlex.quote(python)} -m cellrace_client"
    elif program.stem != NAME:
        return NAME  # of another program, that has this one as its library, nothing is known
    found = shutil.which(NAME)
    return NAME if found and _is_same(Path(found), program) else shlex.quote(str(program))


def _is_same(found: Path, program: Path) -> bool:
    try:
        return found.samefile(program)
    except OSError:
        return False
