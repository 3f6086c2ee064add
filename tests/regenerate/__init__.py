"""Files that are made from the code and its data, and the one command that writes them all."""
