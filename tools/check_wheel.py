"""Build the wheel and check the names in it: our packages, their types and their data, and nothing else."""

import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

PACKAGES = {
    "cellrace_client",
    "cellrace_engine",
    "cellrace_protocol",
    "cellrace_server",
    "cellrace_web",
}
NEEDED = {
    *(f"{package}/py.typed" for package in PACKAGES),
    "cellrace_client/demo/ada.txt",
    "cellrace_client/demo/grace.txt",
    "cellrace_protocol/openapi.json",
    "cellrace_protocol/vectors/conversations/two-players.json",
    "cellrace_server/adapters/redis/scripts/append.lua",
    "cellrace_server/adapters/valkey/launch.py",
    "cellrace_server/cli.py",
    "cellrace_web/index.html",
    "cellrace_web/game/line.js",
    "cellrace_web/style/cards.css",
}


def main() -> int:
    """Returns 0 when the wheel is as it should be; says what is not."""
    with tempfile.TemporaryDirectory() as folder:
        build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder]
        subprocess.run(build, check=True, stdout=subprocess.DEVNULL)
        (wheel,) = Path(folder).glob("*.whl")
        names = set(zipfile.ZipFile(wheel).namelist())
    tops = {name.split("/")[0] for name in names}
    strays = {top for top in tops - PACKAGES if not top.startswith("cellrace-")}
    faults = [f"{name} is missing" for name in sorted(NEEDED - names)]
    faults += [f"{name} does not belong there" for name in sorted(strays)]
    for fault in faults:
        print(f"wheel: {fault}")
    if not faults:
        print(f"wheel: {len(names)} files, as they should be")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
