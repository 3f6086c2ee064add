"""Records with gaps: judged as far as they go, and no further.

``readings`` says what has to be supposed where a record is silent, ``crossing`` carries the table
from one stretch of the record to the next, ``running`` keeps what holds in every reading,
``contracts`` and ``totals`` judge what is written without cards. Decision 67 has the
reasons.
"""
