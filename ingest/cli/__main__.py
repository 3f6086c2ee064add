"""``python -m tricklog.ingest.cli`` is ``tricklog``."""

import sys

from tricklog.ingest.cli import main

sys.exit(main())
