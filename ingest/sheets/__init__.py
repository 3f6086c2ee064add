"""Score sheets: the games of a warehouse, each hand by hand, and where it turned."""
