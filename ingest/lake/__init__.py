"""Warehouses of many machines: Delta tables on a folder or an object store, see decision 59."""

import os

# Delta prints what it tries on the way to credentials; its errors are raised all the same.
os.environ.setdefault("RUST_LOG", "error")
