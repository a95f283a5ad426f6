"""Game balance for tabletop skirmish games: plans in, seeded playouts, honest intervals out."""

__version__ = "0.1.0"
