"""The written forms of Tricklog: cards, actions, the hand log, rulesets, the warehouse tables."""
