"""Ledger: where results came from, of the hand of the URL or of all hands that filters choose."""

from __future__ import annotations

from tricklog.dashboard.address import urls
from tricklog.dashboard.kit.choices import choose_beside
from tricklog.dashboard.pages.ledger import hand, many
from tricklog.schemas.languages.messages import mark, say, translated

ONE, MANY = mark("One hand"), mark("Many hands")

shown = choose_beside(
    say("Ledger of"), urls.VIEW, (ONE, MANY), translated, ids=urls.id_of, hides_label=True
)
if shown == MANY:
    many.show()
else:
    hand.show()
