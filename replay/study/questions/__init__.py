"""Decisions of recorded hands asked again.

``moments`` stops a record at a decision, ``known`` says what its player knew there, and ``judging``
what each choice was worth.
"""
