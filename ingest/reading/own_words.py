"""Words of Tricklog's own sentences: jack, king, rob and hand say nothing about who plays."""

from __future__ import annotations

from functools import cache

from ingest.reading.forgotten import AtTable
from ingest.reading.rejects import HINTS
from ingest.reading.spoken_words import words_of
from replay.judging.findings import ROWS
from schemas.actions import VERB_NAMES
from schemas.cards import SUIT_WORDS

_CARDS = "ace king queen jack ten nine eight seven six five four three two joker trump suit"


@cache
def own_words() -> frozenset[str]:
    """Return the folded words that sentences about hands and lines are made of."""
    texts = [*HINTS.values(), *(row.sentence for row in ROWS.values()), *VERB_NAMES.values()]
    texts += [*SUIT_WORDS, *(suit.removesuffix("s") for suit in SUIT_WORDS), _CARDS]
    return frozenset(word.folded for text in texts for word in words_of(text))


def in_sentences(table: AtTable) -> AtTable:
    """Return who is named in sentences of Tricklog's, whose own words stay."""
    own = own_words()
    called = {name: instead for name, instead in table.called.items() if name not in own}
    return table._replace(called=called, others=table.others | own)
