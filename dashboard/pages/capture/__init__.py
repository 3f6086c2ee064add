"""Point capture: who gets the points, and where the fives go."""
