"""Games and their score sheets."""
