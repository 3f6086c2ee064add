"""Why there is no figure."""


class FigureError(ValueError):
    """A question that has no answer; the sentence says why and what to ask instead."""


class UnsolvedError(FigureError):
    """A question about solved hands where none has been solved."""


class OwnMetricError(FigureError):
    """A metric of one's own that cannot be used: in which source, at which key, and why."""

    def __init__(self, source: str, key: str, message: str) -> None:
        """Keep the parts beside the sentence made of them."""
        place = f"{source}: {key}" if key else source
        super().__init__(f"{place} {message}.")
        self.source = source
        self.key = key
        self.message = message
