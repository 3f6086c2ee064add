"""Rule cases, one file per system, named by the numbers of the rules pages."""
