"""Measurements of speed and of what must not depend on it: ``python -m benchmarks NAME``.

Rates are recorded, never asserted: they depend on the machine and on what else it does.
"""
