"""The rules a second time, written from the rules pages and sharing nothing with the engine.

Cards are the words a log writes, hands are sets of them, policies are the words a ruleset writes.
It follows records that keep the rules, and says what might have been played and who scores what.
"""
