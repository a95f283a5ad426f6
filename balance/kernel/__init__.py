"""The only place that knows Numba: compilation, the rules contract, random streams."""
