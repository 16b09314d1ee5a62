"""`python -m cellrace_server.admin`."""

import sys

from cellrace_server.admin.cli import main

if __name__ == "__main__":
    sys.exit(main())
