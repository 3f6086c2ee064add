"""Looking after a warehouse: verify, rebuild, audit again."""
