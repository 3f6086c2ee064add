"""Score sheets that come in: tables of bids, makers, points and scores, read as hands.

A sheet is a text of separated values or a workbook. What its columns mean is recognised, or said by
a mapping; each row that is a hand becomes one with gaps, and every other row is accounted for. What
stands on the score sheet *of* a stored game is another thing, see ``tricklog.ingest.sheets``.
``docs/score-sheets.md`` says how people use it.
"""
