"""The pages that show stored hands in a browser."""
