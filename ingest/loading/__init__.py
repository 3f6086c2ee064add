"""Loading: from lines of logs to hands stored in a new snapshot."""
