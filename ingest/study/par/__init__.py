"""Auctions held against par, and where results came from: valued, kept, and listed.

``running`` values the hands of a warehouse that nobody has valued on as many stocks yet, ``rows``
has what is kept of one hand, ``frames`` lists what was found, ``telling`` puts one hand into plain
values. What readers see is made of all blocks, beside the facts, see ``tricklog.ingest.facts.par``.
"""
