"""Practice: decisions of recorded hands asked again, without what came of them.

``moments`` stops a record at a decision, ``known`` says what its player knew there, ``at_table``
has the card table show that, ``judging`` says afterwards what each choice was worth, and
``finding`` looks for decisions worth asking.
"""
