"""The command line as an object, for the page with every command's own help."""

from tricklog.ingest.cli import make_app

app = make_app()
