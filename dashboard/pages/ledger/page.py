"""Ledger: where results came from, of one hand or of many."""

from __future__ import annotations

from typing import Final

from tricklog.dashboard.address import urls
from tricklog.dashboard.kit.choices import choose_beside
from tricklog.dashboard.pages.ledger import hand as ledger_hand
from tricklog.dashboard.pages.ledger import many as ledger_many
from tricklog.schemas.languages.messages import mark, say, translated

ONE: Final = mark("One hand")
MANY: Final = mark("Many hands")
VIEWS: Final = (ONE, MANY)


def show() -> None:
    """Show the ledger of the hand of the URL, or that of all hands that filters choose."""
    view = choose_beside(
        say("Ledger of"), urls.VIEW, VIEWS, translated, ids=urls.id_of, hides_label=True
    )
    if view == MANY:
        ledger_many.show()
    else:
        ledger_hand.show()


show()
