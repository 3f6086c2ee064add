"""What bots go by, of the compiled subset: what hands are worth, choices, a hand played."""
