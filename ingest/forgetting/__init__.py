"""Forgetting a player: their hands stay, under an id that names nobody."""
