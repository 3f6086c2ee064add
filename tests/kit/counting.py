"""A run for the tests of the benchmarks' tools, whose process imports nothing else."""


def counted(to: int) -> object:
    """Prepare a run that counts."""
    return lambda: {"counted": sum(1 for _ in range(to))}
