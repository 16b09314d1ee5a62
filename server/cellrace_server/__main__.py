"""`python -m cellrace_server`."""

import sys

from cellrace_server.cli import main

sys.exit(main())
