"""An evening, and a season of them."""
