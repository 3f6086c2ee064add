"""Single faults put into legal hands, each with the code it must get and its place.

What a fault is follows from the rules written a second time (`tests.reference_engine`), not from
the engine.
"""
