"""`python -m cellrace_client`."""

import sys

from cellrace_client.cli import main

sys.exit(main())
