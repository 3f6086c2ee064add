"""Addresses of pages: the menu, the parameters, the language."""
