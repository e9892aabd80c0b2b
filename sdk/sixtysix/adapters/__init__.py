"""Bots written for other programs, as bots for this one. Each module needs a package of its own, see its docstring."""
