"""What figures count of a hand, noted where the hand is replayed, in the compiled subset.

One short function a fact: what a player held, called, led, won, lost and declared. ``noting`` goes
through a replayed hand and puts what they say of a seat into ``SeatFacts``; what they say of a call
or a capture ``tricklog.core.engine.encode`` writes into its integer.
"""
