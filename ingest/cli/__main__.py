"""``python -m ingest.cli`` is ``tricklog``."""

import sys

from ingest.cli import main

sys.exit(main())
