"""Behind ``tricklog dashboard``: ``tricklog.dashboard.app.server``, once the signals are set."""

import signal
import sys


def main() -> None:
    """Serve the pages."""
    # What the server is made of takes a second to import. Until it answers to Ctrl-C itself, that
    # ends the process without a traceback.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    from tricklog.dashboard.app.server import main as serve

    serve(sys.argv[1:])


if __name__ == "__main__":
    main()
