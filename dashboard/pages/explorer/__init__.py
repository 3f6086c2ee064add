"""Any figure by one or two dimensions."""
