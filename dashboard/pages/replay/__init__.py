"""A hand on the table, step by step."""
