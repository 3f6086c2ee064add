"""What values are called on pages, and how they are made safe to show."""
