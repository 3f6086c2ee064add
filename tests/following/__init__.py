"""Following logs."""
