"""The tests of Tricklog."""
