"""A replay for people: sentences, the table on a terminal, HTML for notebooks."""
