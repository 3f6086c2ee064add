"""One player, two side by side, and all of them ranked."""
