"""Loading logs and score sheets."""
