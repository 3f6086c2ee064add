"""What the words mean."""
