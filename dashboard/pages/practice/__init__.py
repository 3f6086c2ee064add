"""Practice: decisions of recorded hands asked again, without what came of them.

``tricklog.core.study.questions`` stops a record at a decision, knows what its player knew and what
each choice was worth; ``at_table`` has the card table show that, and ``finding`` looks for
decisions worth asking.
"""
