"""Every page, a folder each; none imports another."""
