"""Practice: decisions of recorded hands asked again, without what came of them.

``tricklog.core.study.questions`` stops a record at a decision, knows what its player knew and what
each choice was worth; ``finding`` looks for decisions worth asking, ``asking`` shows one, and
``answering`` what its answer was worth.
"""
