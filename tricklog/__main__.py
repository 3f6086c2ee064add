"""``tricklog``, and ``python -m tricklog``: the command line.

Nothing is imported but within ``main``: elsewhere Ctrl-C would end in a traceback.
"""

import sys


def main() -> int:
    """Run one command of the process's arguments and return its exit status."""
    try:
        import signal

        is_usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
        if is_usual:
            # Among imports an exception may be lost, or come out as another one.
            signal.signal(signal.SIGINT, _leave)
        from tricklog.ingest.cli import ArrowAlone
        from tricklog.ingest.cli import main as run

        sys.meta_path.insert(0, ArrowAlone())
    except KeyboardInterrupt:
        _leave()
    try:
        if is_usual:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        return run()
    except KeyboardInterrupt:
        # It was pressed once more while the first was answered.
        return 130
    finally:
        if is_usual:
            import atexit

            # What is left of the process would answer with a traceback, and with the signal itself
            # once Python has taken its handlers away.
            signal.signal(signal.SIGINT, _end)
            atexit.register(signal.signal, signal.SIGINT, signal.SIG_IGN)


def _leave(*_: object) -> None:
    """End the process as ``tricklog.ingest.cli`` does where no command has begun."""
    import os

    os.write(2, b"tricklog: interrupted before it had begun\n")
    _end()


def _end(*_: object) -> None:
    """End the process with the status of an interrupted command, all of whose output is written."""
    import os

    os._exit(130)


if __name__ == "__main__":
    sys.exit(main())
